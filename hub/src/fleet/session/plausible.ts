/** Longest text kept of what an agent says, in UTF-16 units; the longest real ones are status texts and image names. */
const LONGEST_TEXT = 500
/** The most elements kept of a list, and entries of a map of names. */
const MOST_ELEMENTS = 5000

/** Shares of a whole. Times of a disk are shares of a second each, and above 100 when requests run in parallel. */
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
 * What an agent said, as it may be stored: no share above 100, no text without end, no character that a database refuses,
 * no list without end. Nothing that is there goes away but the ends of what is too long.
 */
export function plausible<T extends object>(said: T): T {
  return isBounded(said, '') ? said : (bounded(said, '') as T) // every value stays of its type
}

/** Nearly everything that is said is: then it need not be made again. */
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

/** Maps whose keys are names of things, not of fields. */
const mapsOfNames: ReadonlySet<string> = new Set(['extraDisks', 'interfaces', 'temperatures', 'fans', 'batteries', 'gpus', 'enginePercent'])

/** What a list or a map of numbers holds: cores are shares, charges and engines too. */
const elementName = (name: string): string => (shareLists.has(name) ? 'percent' : '')

const shareLists: ReadonlySet<string> = new Set(['coreBusyPercent', 'enginePercent', 'batteries'])

const isBoundedText = (text: string): boolean => text.length <= LONGEST_TEXT && text.isWellFormed() && !text.includes('\0')

/** PostgreSQL takes no NUL in a text, and neither database half a character. */
function boundedText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text
  return short.replaceAll('\0', '').toWellFormed()
}
