/** Callback that opens a dialog about one system. */
export type OpenRowDialog = (kind: 'edit' | 'delete' | 'alerts', systemId: string) => void
