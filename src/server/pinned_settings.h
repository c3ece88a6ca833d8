/*
 * pinned_settings.h - settings while the extension's own queries run.
 *
 * Each function pins settings at the current nest level; the end of the level
 * restores those of the session.
 */
#ifndef DPEM_SERVER_PINNED_SETTINGS_H
#define DPEM_SERVER_PINNED_SETTINGS_H

/* for every internal query: name resolution, output, and whatever changes the value of an expression */
extern void dpem_pin_session_settings(void);

/*
 * For a scan of private rows, before the above: sets whatever the session, the
 * role's or the connection's own settings have changed back to the server's values.
 */
extern void dpem_pin_scan_settings(void);

/* for look-ups in the catalog, after the first */
extern void dpem_pin_lookup_settings(void);

#endif							/* DPEM_SERVER_PINNED_SETTINGS_H */
