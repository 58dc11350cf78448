import { numberField, textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { shownFields, type CollectionModel } from './collections.ts'
import type { RecordsQuery } from './records-page.ts'

/** `columns` names fields, separated by commas; `recordId` is `new` for a record that is being made. */
const fields = {
  filter: textField(4_000),
  sort: textField(200),
  page: numberField(1, 1),
  columns: textField(),
  recordId: textField(100),
}

type ViewValues = { filter: string; sort: string; page: number; columns: string; recordId: string }

/** What of a collection is shown, as the address says it. */
export type RecordsView = {
  readonly query: RecordsQuery
  /** Names of the fields that have a column. */
  readonly columns: readonly string[]
  /** The id of the open record, `new` for one that is being made, `''` for none. */
  readonly recordId: string
  readonly change: (part: Partial<ViewValues>) => void
  readonly openRecord: (recordId: string) => void
  readonly closeRecord: () => void
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
  const { values, change, open, close } = useSearchValues<ViewValues>(fields)
  const { filter, sort, page, columns, recordId } = values
  const names = shownFields(model).map(({ name }) => name)
  const chosen = columns.split(',').filter((name) => names.includes(name))
  return {
    query: { collection: model.name, filter, sort, page },
    columns: chosen.length > 0 ? chosen : firstColumns(names),
    recordId,
    change,
    openRecord: (id) => open({ recordId: id }),
    closeRecord: () => close({ recordId: '' }),
  }
}
