import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import { columnKinds, type ColumnKind } from './columns.ts'
import type { Window } from '../model/tier.ts'

/** What `/api/history/{system}` is asked: a half-open window in epoch milliseconds, at most so many points, of one kind. */
export type ColumnsQuery = { readonly window: Window; readonly points: number; readonly kind: ColumnKind }

export type ColumnsQueryResult =
  | { readonly ok: true; readonly query: ColumnsQuery }
  | { readonly ok: false; readonly problems: Readonly<Record<string, string>> }

const STANDARD_POINTS = 1000

/** No screen shows more, and a week of minutes is less. */
const MOST_POINTS = 11_000

/** Every field that is wrong, by name; `to` is now and `from` an hour before it when they are not given. */
export function parseColumnsQuery(given: Readonly<Record<string, string>>, nowMs: number): ColumnsQueryResult {
  const problems: Record<string, string> = {}
  const toMs = readInteger(given, 'to', problems) ?? nowMs
  const fromMs = readInteger(given, 'from', problems) ?? toMs - 3_600_000
  const points = readInteger(given, 'points', problems) ?? STANDARD_POINTS
  const kind = columnKinds.find((name) => name === (given['kind'] ?? 'system'))
  if (points < 1 || points > MOST_POINTS) problems['points'] ??= `Must be from 1 to ${MOST_POINTS}.`
  if (fromMs >= toMs) problems['from'] ??= 'Must be before "to".'
  if (kind === undefined) problems['kind'] = `Must be one of ${columnKinds.join(', ')}.`
  if (kind === undefined || Object.keys(problems).length > 0) return { ok: false, problems }
  return { ok: true, query: { window: { fromMs, toMs }, points, kind } }
}

function readInteger(given: Readonly<Record<string, string>>, name: string, problems: Record<string, string>): number | undefined {
  const text = ownValue(given, name)
  if (text === undefined || text === '') return undefined
  if (/^\d{1,16}$/.test(text)) return Number(text)
  setOwnValue(problems, name, 'Must be a whole number.')
  return undefined
}
