/** Callback that opens a dialog about the system with this id: `edit`, `delete`, `alerts` (alert rules) or `tags`. */
export type OpenRowDialog = (kind: 'edit' | 'delete' | 'alerts' | 'tags', systemId: string) => void
