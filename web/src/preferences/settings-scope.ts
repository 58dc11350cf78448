/** Mutation scope of TanStack Query for changes of the account's settings. By it they are sent one after another, in order. */
export const settingsScope = { id: 'settings' } as const
