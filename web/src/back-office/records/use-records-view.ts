import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ownValue } from '@vedette/protocol/own-value'
import { changeSettings, settingsQuery } from '../../api/account.ts'
import { textOf } from '../../api/json.ts'
import { goTo, useAddress } from '../address.ts'
import { shownFields, type CollectionModel } from './collections.ts'
import type { RecordsQuery } from './records-page.ts'

/** What of a collection is shown, as the address says it. */
export type RecordsView = {
  readonly query: RecordsQuery
  /** Names of the fields that have a column. */
  readonly columns: readonly string[]
  /** False while the account's own columns are unknown. */
  readonly isReady: boolean
  /** Chooses the columns, for this address and for the next visit. */
  readonly chooseColumns: (columns: readonly string[]) => void
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
  const settings = useQuery(settingsQuery)
  const cache = useQueryClient()
  const saving = useMutation({ mutationFn: changeSettings, onSuccess: (stored) => cache.setQueryData(settingsQuery.queryKey, stored) })
  const setting = `columns_records_${model.name}`
  const fields = shownFields(model).map(({ name }) => name)
  const inFields = (text: string) => text.split(',').filter((name) => fields.includes(name))
  const [ofAddress, ofAccount] = [inFields(columns), inFields(textOf(ownValue(settings.data, setting)) ?? '')]
  const change: RecordsView['change'] = (part, isStep = false) =>
    goTo({ path: '/collections', query: { ...query, collection: model.name, ...part } }, isStep)
  return {
    query: { collection: model.name, filter, sort, page: /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1 },
    columns: [ofAddress, ofAccount].find(({ length }) => length > 0) ?? firstColumns(fields),
    isReady: ofAddress.length > 0 || !settings.isPending,
    chooseColumns: (next) => {
      change({ columns: next.join(',') })
      saving.mutate({ merge: { [setting]: next.join(',') } })
    },
    open: recordId,
    change,
  }
}
