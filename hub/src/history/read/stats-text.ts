import type { Json } from '@vedette/protocol/wire/stats-json'
import { GIBIBYTE, MEBIBYTE, round2, toGibibytes, toMebibytes } from '@vedette/protocol/wire/units'
import { statsAt, type StatsNumbers } from './stats-at.ts'

/** Where a number stands in a text: after which piece of it, of which column, and how it is written. */
type Slot = {
  readonly before: string
  readonly column: Float64Array
  readonly write: (value: number) => number
  /** Many numbers stay what they were. */
  lastValue: number
  lastText: string
}

/** The text of points that know the same numbers. */
type Form = { readonly point: number; readonly slots: readonly Slot[]; readonly end: string }

/** Points of one list know the same numbers, or a few of them come and go. */
const MOST_FORMS = 4

/**
 * The JSON of `statsAt`, point by point, without making the objects: what stands around the numbers is worked out once for points that
 * know the same ones. Undefined for one it has no form for.
 */
export function statsTexts(numbers: StatsNumbers): (at: number) => string | undefined {
  const forms: Form[] = []
  return (at) => {
    let form = forms.find(({ point }) => knowTheSame(numbers, point, at))
    if (form === undefined) {
      form = learnedForm(numbers, at)
      if (form === undefined) return undefined
      if (forms.length === MOST_FORMS) forms.shift()
      forms.push(form)
    }
    return filled(form, at)
  }
}

const knowTheSame = ({ values, maxima }: StatsNumbers, one: number, other: number): boolean =>
  areKnownAlike(values, one, other) && (maxima === undefined || areKnownAlike(maxima, one, other))

function areKnownAlike(columns: readonly Float64Array[], one: number, other: number): boolean {
  for (const column of columns) if (isKnown(column[one]) !== isKnown(column[other])) return false
  return true
}

const isKnown = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value)

function filled({ slots, end }: Form, at: number): string {
  let text = ''
  for (const slot of slots) {
    const value = slot.column[at] ?? Number.NaN
    if (value !== slot.lastValue) {
      const written = slot.write(value)
      slot.lastText = slot.before + (Number.isFinite(written) ? String(written) : 'null')
      slot.lastValue = value
    }
    text += slot.lastText
  }
  return text + end
}

/**
 * Where the numbers stand is learned from the stats of numbers that tell which they are: each number here is a multiple of a gibibyte of
 * its own and a quarter. Divided into gibibytes and mebibytes, rounded to whole ones or kept as they are, they lie in ranges apart.
 */
const FIRST = 2 ** 14
const MOST_NUMBERS = 2 ** 14
const telling = (number: number): number => (FIRST + number) * GIBIBYTE + 0.25

/** Of the points that know what this one knows. Undefined when there are too many numbers, or one is written in a way that is not known here. */
function learnedForm({ kind, keys, values, maxima }: StatsNumbers, at: number): Form | undefined {
  const columns = [...values, ...(maxima ?? [])]
  if (columns.length > MOST_NUMBERS) return undefined
  const told = columns.map((column, number) => Float64Array.of(isKnown(column[at]) ? telling(number) : Number.NaN))
  const tellingMaxima = maxima && { maxima: told.slice(values.length) }
  const { texts, numbers } = taken(statsAt({ kind, keys, values: told.slice(0, values.length), ...tellingMaxima }, 0))
  const slots: Slot[] = []
  for (const [place, number] of numbers.entries()) {
    const found = toldBy(number)
    const column = columns[found?.number ?? -1]
    if (found === undefined || column === undefined) return undefined
    slots.push({ before: texts[place] ?? '', column, write: found.write, lastValue: Number.NaN, lastText: '' })
  }
  return { point: at, slots, end: texts.at(-1) ?? '' }
}

/** JSON as its numbers and the texts around them: one before each, one after the last. */
function taken(json: Json): { readonly texts: readonly string[]; readonly numbers: readonly number[] } {
  const numbers: number[] = []
  const texts: string[] = []
  let text = ''
  const each = (members: readonly (readonly [before: string, value: Json])[]): void => {
    for (const [at, [before, value]] of members.entries()) {
      text += at === 0 ? before : `,${before}`
      take(value)
    }
  }
  const take = (value: Json): void => {
    if (typeof value === 'number') {
      numbers.push(value)
      texts.push(text)
      text = ''
    } else if (typeof value !== 'object' || value === null) text += JSON.stringify(value)
    else if (isList(value)) {
      text += '['
      each(value.map((one) => ['', one]))
      text += ']'
    } else {
      text += '{'
      each(Object.entries(value).map(([key, one]) => [`${JSON.stringify(key)}:`, one]))
      text += '}'
    }
  }
  take(json)
  return { numbers, texts: [...texts, text] }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** The ways in which `stats` write numbers, and what they divide them by. */
const ways = [
  { write: toGibibytes, unit: GIBIBYTE },
  { write: toMebibytes, unit: MEBIBYTE },
  { write: round2, unit: 1 },
  { write: Math.round, unit: 1 },
] as const

/** Which number it was, and how numbers in its place are written. */
function toldBy(written: number): { readonly number: number; readonly write: Slot['write'] } | undefined {
  for (const { write, unit } of ways) {
    const number = Math.floor((written * unit) / GIBIBYTE) - FIRST
    if (number >= 0 && number < MOST_NUMBERS && write(telling(number)) === written) return { number, write }
  }
  return undefined
}
