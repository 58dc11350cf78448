import { useCallback } from 'react'
import { numberField, textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownValue } from '@vedette/protocol/own-value'
import { changeSettings, settingsQuery } from '../../api/account.ts'
import { textOf } from '../../api/json.ts'
import { settingsScope } from '../../preferences/settings-scope.ts'
import { shownFields, type CollectionModel } from './collections.ts'
import type { RecordsQuery } from './records-page.ts'

/**
 * URL search parameters of a back-office page with records: an object from name to codec (functions that read and write the parameter's
 * text). `columns` are field names separated by commas; `recordId` is the open record, `new` for a new one.
 */
const fields = {
  filter: textField(4_000),
  sort: textField(200),
  page: numberField(1, 1),
  columns: textField(),
  recordId: textField(100),
}

type ViewValues = { filter: string; sort: string; page: number; columns: string; recordId: string }

/** State of a page with records that is stored in the URL (filter, sort order, page, columns), with functions that change it. */
export type RecordsView = {
  readonly query: RecordsQuery
  /** List of the names of the record fields that the back-office table shows as columns, in order. */
  readonly columns: readonly string[]
  /**
   * True once the columns of the records table are known. False while the account's settings, which contain the chosen columns, are
   * loading.
   */
  readonly isReady: boolean
  /** Sets the columns of the records table in the URL of the page and saves them in the account's settings. */
  readonly chooseColumns: (columns: readonly string[]) => void
  /** Id of the record that is open for editing; `new` for a new record, an empty string for none. */
  readonly recordId: string
  readonly change: (part: Partial<ViewValues>) => void
  readonly openRecord: (recordId: string) => void
  readonly closeRecord: () => void
}

const FIRST_COLUMNS = 6
/** List of record field names that are shown as columns by default if the collection has them, in order of preference. */
const preferredColumns = [
  'email',
  'name',
  'role',
  'status',
  'host',
  'port',
  'system',
  'user',
  'type',
  'verified',
  'value',
  'created',
  'updated',
]

function firstColumns(fields: readonly string[]): readonly string[] {
  const first = preferredColumns.filter((name) => fields.includes(name))
  const others = fields.filter((name) => !preferredColumns.includes(name) && name !== 'id')
  const shown = [...first, ...others].slice(0, FIRST_COLUMNS)
  return shown.length > 0 ? shown : fields
}

export function useRecordsView(model: CollectionModel): RecordsView {
  const { values, change, open, close } = useSearchValues<ViewValues>(fields)
  const { filter, sort, page, columns, recordId } = values
  const settings = useQuery(settingsQuery)
  const cache = useQueryClient()
  const saving = useMutation({
    mutationFn: changeSettings,
    scope: settingsScope,
    onSuccess: (stored) => cache.setQueryData(settingsQuery.queryKey, stored),
  })
  const setting = `columns_records_${model.name}`
  const names = shownFields(model).map(({ name }) => name)
  const inFields = (text: string) => text.split(',').filter((name) => names.includes(name))
  const [ofAddress, ofAccount] = [inFields(columns), inFields(textOf(ownValue(settings.data, setting)) ?? '')]
  return {
    query: { collection: model.name, filter, sort, page },
    columns: [ofAddress, ofAccount].find(({ length }) => length > 0) ?? firstColumns(names),
    isReady: ofAddress.length > 0 || !settings.isPending,
    chooseColumns: (next) => {
      change({ columns: next.join(',') })
      saving.mutate({ merge: { [setting]: next.join(',') } })
    },
    recordId,
    change,
    openRecord: (id) => open({ recordId: id }),
    closeRecord: useCallback(() => close({ recordId: '' }), [close]),
  }
}
