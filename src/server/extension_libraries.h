/*
 * extension_libraries.h - libraries of the database's extensions.
 */
#ifndef DPEM_SERVER_EXTENSION_LIBRARIES_H
#define DPEM_SERVER_EXTENSION_LIBRARIES_H

/* loads all libraries that contain functions of extensions, once per session */
extern void dpem_load_extension_libraries(void);

#endif							/* DPEM_SERVER_EXTENSION_LIBRARIES_H */
