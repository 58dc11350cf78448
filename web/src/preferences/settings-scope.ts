/** TanStack Query mutation scope for saving the account's settings: mutations with one scope are sent one after another, in order. */
export const settingsScope = { id: 'settings' } as const
