/** Mutation scope of TanStack Query: mutations of the account run one after another, so the last one wins. */
export const settingsScope = { id: 'settings' } as const
