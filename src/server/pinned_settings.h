/*
 * pinned_settings.h - settings while the extension's own queries run.
 *
 * Each function pins settings at the current nest level of settings, whose end
 * gives the session its own back.
 */
#ifndef DPEM_SERVER_PINNED_SETTINGS_H
#define DPEM_SERVER_PINNED_SETTINGS_H

/* for every query of ours: names, what prints, what changes an expression's value */
extern void dpem_pin_session_settings(void);

/*
 * For a scan of private rows, before the above: whatever the session, the
 * role's or the connection's own settings have changed is as the server has it.
 */
extern void dpem_pin_scan_settings(void);

/* for look-ups in the catalog, after the first */
extern void dpem_pin_lookup_settings(void);

#endif							/* DPEM_SERVER_PINNED_SETTINGS_H */
