import { ownValue } from '@vedette/protocol/own-value'
import type { JsonRecord } from '../../api/json.ts'
import { textCell } from '../../format/csv.ts'
import { cellText } from './cell-text.ts'

/**
 * Returns records as the text of a CSV file (RFC 4180), with one column for each of the `fields`. Lists of texts are joined by commas;
 * other lists and objects are JSON.
 */
export const recordsCsv = (fields: readonly string[], records: readonly JsonRecord[]): string =>
  [fields.map(textCell), ...records.map((record) => fields.map((field) => csvCell(ownValue(record, field))))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('')

const csvCell = (value: unknown): string => (typeof value === 'number' ? String(value) : textCell(cellText(value)))
