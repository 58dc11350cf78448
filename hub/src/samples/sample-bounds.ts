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
 * within these bounds stay unchanged.
 */
export function withinBounds<T extends object>(value: T): T {
  return isBounded(value, '') ? value : (bounded(value, '') as T) // every value keeps its type
}

/** Nearly all values are within the bounds, and are then not copied. */
function isBounded(value: unknown, name: string): boolean {
  if (typeof value === 'number') return value <= 100 || !wholeShares.has(name) || Number.isNaN(value)
  if (typeof value === 'string') return isBoundedText(value)
  if (typeof value !== 'object' || value === null) return true
  return Array.isArray(value) ? isBoundedList(value, elementName(name)) : isBoundedMap(value, name)
}

function isBoundedList(list: readonly unknown[], inner: string): boolean {
  if (list.length > MOST_ELEMENTS) return false
  for (const item of list) if (!isBounded(item, inner)) return false
  return true
}

function isBoundedMap(map: object, name: string): boolean {
  const entries = Object.entries(map) as [string, unknown][] // its own names
  if (entries.length > MOST_ELEMENTS) return false
  const isOfNames = mapsOfNames.has(name)
  const inner = elementName(name)
  for (const [key, item] of entries) {
    if (!(isOfNames ? isBoundedText(key) && isBounded(item, inner) : isBounded(item, key))) return false
  }
  return true
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

const isBoundedText = (text: string): boolean => text.length <= LONGEST_TEXT && text.isWellFormed() && !text.includes('\0')

/** PostgreSQL stores no NUL in a text, and neither database stores lone surrogates. */
function boundedText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text
  return short.replaceAll('\0', '').toWellFormed()
}
