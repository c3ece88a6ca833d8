/*
 * saboteur.h - what the saboteurs share.
 *
 * A saboteur is a library of the extension in which some functions are
 * replaced at link time (ld --wrap) by wrong ones, for the tests of the tests:
 * dp_selftest and `make audit` must find it out.  No source of the extension
 * knows of them, and the name below stands in every one of them, and in no
 * library that is installed.
 */
#ifndef DPEM_TEST_AUDIT_SABOTEUR_H
#define DPEM_TEST_AUDIT_SABOTEUR_H

#define SABOTEUR const char dpem_saboteur[] = "dpem: this library is made to fail its tests"

extern const char dpem_saboteur[];

#endif							/* DPEM_TEST_AUDIT_SABOTEUR_H */
