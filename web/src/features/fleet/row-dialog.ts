/** Opens a dialog about one system, from its row. */
export type OpenRowDialog = (kind: 'edit' | 'delete' | 'alerts', systemId: string) => void
