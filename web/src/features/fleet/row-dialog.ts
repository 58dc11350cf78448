/** Callback that opens one of the dialogs about a system, such as editing or deleting it. */
export type OpenRowDialog = (kind: 'edit' | 'delete' | 'alerts', systemId: string) => void
