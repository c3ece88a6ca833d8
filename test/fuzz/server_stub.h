/*
 * server_stub.h - the engine's parsers without a server: see server_stub.c.
 */
#ifndef DPEM_FUZZ_SERVER_STUB_H
#define DPEM_FUZZ_SERVER_STUB_H

#include <setjmp.h>
#include <stdbool.h>

/* where an error of the code under test goes; set by STUB_TRY */
extern jmp_buf stub_catch;
extern int	stub_sqlstate;

/* true for the code under test, then, if it raised, false with stub_sqlstate set */
#define STUB_TRY() (stub_sqlstate = 0, setjmp(stub_catch) == 0)

/* frees whatever palloc gave since the last call */
extern void stub_free_all(void);

#endif							/* DPEM_FUZZ_SERVER_STUB_H */
