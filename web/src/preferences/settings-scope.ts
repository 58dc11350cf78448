/**
 * TanStack Query mutation scope of all changes of the account's settings: mutations with the same scope are sent one after another, in
 * order.
 */
export const settingsScope = { id: 'settings' } as const
