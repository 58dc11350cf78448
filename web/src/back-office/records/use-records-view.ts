import { goTo, useAddress } from '../address.ts'
import { shownFields, type CollectionModel } from './collections.ts'
import type { RecordsQuery } from './records-page.ts'

/** What of a collection is shown, as the address says it. */
export type RecordsView = {
  readonly query: RecordsQuery
  /** Names of the fields that have a column. */
  readonly columns: readonly string[]
  /** The record that is open, `new` for one that is being made. */
  readonly open: string | undefined
  readonly change: (part: Readonly<Record<string, string>>, isStep?: boolean) => void
}

const FIRST_COLUMNS = 6
/** What tells records apart, before all else. */
const telling = ['email', 'name', 'role', 'status', 'host', 'port', 'system', 'user', 'type', 'verified', 'value', 'created', 'updated']

function firstColumns(fields: readonly string[]): readonly string[] {
  const first = telling.filter((name) => fields.includes(name))
  const others = fields.filter((name) => !telling.includes(name) && name !== 'id')
  const shown = [...first, ...others].slice(0, FIRST_COLUMNS)
  return shown.length > 0 ? shown : fields
}

export function useRecordsView(model: CollectionModel): RecordsView {
  const { query } = useAddress()
  const { filter = '', sort = '', page = '', columns = '', recordId } = query
  const fields = shownFields(model).map(({ name }) => name)
  const chosen = columns.split(',').filter((name) => fields.includes(name))
  return {
    query: { collection: model.name, filter, sort, page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1 },
    columns: chosen.length > 0 ? chosen : firstColumns(fields),
    open: recordId,
    change: (part, isStep = false) => goTo({ path: '/collections', query: { ...query, collection: model.name, ...part } }, isStep),
  }
}
