import type { System } from '../../api/system-record.ts'

/** A dialog about one system, opened from its menu. */
export type RowDialog = { readonly kind: 'edit' | 'delete'; readonly system: System }
