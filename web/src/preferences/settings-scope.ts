/**
 * Object: mutation scope of TanStack Query for changes of the account's settings. They are sent one after another, so the last one wins.
 */
export const settingsScope = { id: 'settings' } as const
