import type { Database } from '../../../platform/db/database.ts'
import { csvField } from '../../../platform/csv.ts'
import { presentLog, type StoredLog } from './log-records.ts'
import { searchLogs, type LogSearch } from './log-search.ts'

/** List of the export formats of the log: `csv` for spreadsheets, `ndjson` with one JSON object per line. */
export const exportForms = ['csv', 'ndjson'] as const
export type ExportForm = (typeof exportForms)[number]

const ROWS_AT_ONCE = 1_000
/**
 * Number of rows, 500,000, after which an export of the log stops; its last step may exceed it by up to 1,000. Many programs cannot open
 * larger files.
 */
const MOST_ROWS = 500_000

type Export = Pick<LogSearch, 'question' | 'window'> & { readonly form: ExportForm }

/**
 * Returns a byte stream: the log entries that match a filter as CSV or NDJSON, newest first. If there are more than about 500,000, a last
 * line reports that older ones are missing.
 */
export function exportLogs(database: Database, { question, window, form }: Export): ReadableStream<Uint8Array<ArrayBuffer>> {
  const write = writers[form]
  const encoder = new TextEncoder()
  let before: number | undefined
  let written = 0
  let isBegun = false
  return new ReadableStream({
    async pull(controller) {
      const { rows, before: next } = await searchLogs(database, { question, window, before, most: ROWS_AT_ONCE })
      written += rows.length
      before = next
      const isFull = written >= MOST_ROWS
      const head = isBegun ? '' : write.head
      const end = isFull && next !== undefined ? write.cut : ''
      isBegun = true
      controller.enqueue(encoder.encode(head + rows.map(write.row).join('') + end))
      if (next === undefined || isFull) controller.close()
    },
  })
}

type Writer = { readonly head: string; readonly row: (row: StoredLog) => string; readonly cut: string }

const fields = ['method', 'url', 'status', 'execTime', 'auth', 'authId', 'userIP', 'userAgent'] as const
const cutAt = `there is more: a file holds ${MOST_ROWS} entries`

const writers: Readonly<Record<ExportForm, Writer>> = {
  csv: {
    head: `${['created', 'level', 'message', ...fields, 'data'].join(',')}\r\n`,
    row(row) {
      const { created, level, message, data } = presentLog(row)
      return `${[created, level, message, ...fields.map((name) => data[name] ?? ''), row.data].map(csvField).join(',')}\r\n`
    },
    cut: `${csvField(cutAt)}\r\n`,
  },
  ndjson: { head: '', row: (row) => `${JSON.stringify(presentLog(row))}\n`, cut: `${JSON.stringify({ message: cutAt })}\n` },
}
