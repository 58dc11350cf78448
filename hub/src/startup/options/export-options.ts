import { exportFormats } from '../../history/read/export.ts'
import { tiers } from '../../history/model/tier.ts'

/** Map of the command-line options of `vedette history export`: for each its environment variable, help text and parser. */
export const exportOptions = {
  from: {
    environment: ['VEDETTE_EXPORT_FROM'],
    shape: 'TIME',
    doc: 'Start of an export: 2026-01-31, 2026-01-31T12:00Z or epoch milliseconds. Default: the oldest sample.',
    parse: parseTime,
  },
  to: {
    environment: ['VEDETTE_EXPORT_TO'],
    shape: 'TIME',
    doc: 'End of an export, not included. Default: now.',
    parse: parseTime,
  },
  tier: {
    environment: ['VEDETTE_EXPORT_TIER'],
    shape: 'TIER',
    standard: '1m',
    doc: 'Resolution of an export: 1m, 10m or 2h.',
    parse: (text: string) => oneOf(tiers, text),
  },
  kind: {
    environment: ['VEDETTE_EXPORT_KIND'],
    shape: 'KIND',
    doc: 'Exports only the series of the system, or only those of its containers.',
    parse: (text: string) => oneOf(['system', 'containers'] as const, text),
  },
  format: {
    environment: ['VEDETTE_EXPORT_FORMAT'],
    shape: 'FORMAT',
    standard: 'csv',
    doc: 'Format of an export: csv, json or ndjson.',
    parse: (text: string) => oneOf(exportFormats, text),
  },
} as const

function parseTime(text: string): number {
  const atMs = /^\d{10,16}$/.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(atMs)) throw new RangeError('expected a time such as 2026-01-31T12:00Z')
  return atMs
}

function oneOf<T extends string>(known: readonly T[], text: string): T {
  const found = known.find((one) => one === text)
  if (found === undefined) throw new RangeError(`expected ${known.join(', ')}`)
  return found
}
