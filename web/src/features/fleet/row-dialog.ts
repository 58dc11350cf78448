/** Callback that opens a dialog about the system with this id: `edit`, `delete` or `alerts`. */
export type OpenRowDialog = (kind: 'edit' | 'delete' | 'alerts', systemId: string) => void
