import type { System } from '../../api/system-record.ts'

/** A dialog about one system, opened from its row. */
export type RowDialog = { readonly kind: 'edit' | 'delete' | 'alerts'; readonly system: System }
