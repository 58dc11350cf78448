/** One change of a person's account after the other, in the order in which they were made: the last one of a setting counts. */
export const settingsScope = { id: 'settings' } as const
