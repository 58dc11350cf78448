/** Maximum length of a text in an agent's sample, in UTF-16 units (500). Longer texts are cut. */
const LONGEST_TEXT = 500
/** Maximum number of elements of a list or map in an agent's sample: 5000. Further ones are dropped. */
const MOST_ELEMENTS = 5000

/**
 * Set of the names of sample fields that are limited to 100 %, such as `busyPercent`. Disk times are not among them, because parallel
 * requests make them exceed 100.
 */
const percentFields: ReadonlySet<string> = new Set([
  'busyPercent',
  'usedPercent',
  'cpuPercent',
  'cpuPeakPercent',
  'usagePercent',
  'userPercent',
  'systemPercent',
  'iowaitPercent',
  'stealPercent',
  'idlePercent',
  'somePercent',
  'fullPercent',
  'percent',
])

/**
 * Returns a copy of a value from an agent with limits applied to everything in it: percentages up to 100, texts up to 500 UTF-16 units,
 * lists and maps up to 5000 elements, no NUL or lone surrogate.
 */
export function withinBounds<T extends object>(value: T): T {
  return bounded(value, '') as T // every value keeps its type
}

function bounded(value: unknown, name: string): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value === 'number') return percentFields.has(name) ? Math.min(value, 100) : value
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).map((item) => bounded(item, elementName(name)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, MOST_ELEMENTS)
  return Object.fromEntries(entries.map(([key, item]) => [boundedText(key), bounded(item, nameMaps.has(name) ? elementName(name) : key)]))
}

/**
 * Set of the names of sample fields that are maps with the names of items, such as disks, as keys. These keys may be any text, so the
 * field's name, not the key, decides whether a value is a percentage.
 */
const nameMaps: ReadonlySet<string> = new Set(['extraDisks', 'interfaces', 'temperatures', 'fans', 'batteries', 'gpus', 'enginePercent'])

/**
 * Returns the name by which limits apply to the elements of a list or map in a sample. It is `percent` (at most 100) if the field `name` is
 * a list of percentages, otherwise `''` (no such limit).
 */
const elementName = (name: string): string => (shareLists.has(name) ? 'percent' : '')

const shareLists: ReadonlySet<string> = new Set(['coreBusyPercent', 'enginePercent', 'batteries'])

/** Returns an agent's text cut to 500 UTF-16 units, without NUL and lone surrogates, which databases cannot store. */
function boundedText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text
  return short.replaceAll('\0', '').toWellFormed()
}
