/** Maximum length of an agent's text, in UTF-16 units. The longest real ones are status texts and image names. */
const LONGEST_TEXT = 500
/** Maximum elements of a list, and maximum entries of a map of names. */
const MOST_ELEMENTS = 5000

/** Fields that are percentages of a whole. Disk times are not included: parallel requests make them exceed 100. */
const wholeShares: ReadonlySet<string> = new Set([
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
 * Limits an agent's values: percentages to 100, texts and lists to a length, and texts to characters that both databases store. Values
 * within these bounds stay equal.
 */
export function withinBounds<T extends object>(value: T): T {
  return bounded(value, '') as T // every value keeps its type
}

function bounded(value: unknown, name: string): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (typeof value === 'number') return wholeShares.has(name) ? Math.min(value, 100) : value
  if (Array.isArray(value)) return value.slice(0, MOST_ELEMENTS).map((item) => bounded(item, elementName(name)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, MOST_ELEMENTS)
  return Object.fromEntries(
    entries.map(([key, item]) => [boundedText(key), bounded(item, mapsOfNames.has(name) ? elementName(name) : key)]),
  )
}

/** Maps whose keys are names of items, not field names. */
const mapsOfNames: ReadonlySet<string> = new Set(['extraDisks', 'interfaces', 'temperatures', 'fans', 'batteries', 'gpus', 'enginePercent'])

/** The field name that applies to the elements of a list or map: cores, charges and engines are percentages. */
const elementName = (name: string): string => (shareLists.has(name) ? 'percent' : '')

const shareLists: ReadonlySet<string> = new Set(['coreBusyPercent', 'enginePercent', 'batteries'])

/** PostgreSQL stores no NUL in a text, and neither database stores lone surrogates. */
function boundedText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text
  return short.replaceAll('\0', '').toWellFormed()
}
