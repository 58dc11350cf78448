import type { DefinedField, SystemNotes } from '../../api/system-notes.ts'

/**
 * Data by which systems are filtered by notes. It has the fields that admins have defined, and a map from system id to the system's notes,
 * links and values.
 */
export type NotedSystems = { readonly fields: readonly DefinedField[]; readonly notes: ReadonlyMap<string, SystemNotes> }

/** Name, `note`, of the filter condition that searches the notes and links of systems, as in `note:cellar`. */
const NOTE = 'note'

/**
 * Returns true when a system matches a condition `name:value` of the filter. `note:text` searches its notes and links, the name of an
 * admin-defined field its value. Numbers and dates can be compared: `price:>100`. `undefined` when no field has that name. A condition
 * without a value, as while typing, matches each system.
 */
export function matchesNote({ fields, notes }: NotedSystems, systemId: string, part: string): boolean | undefined {
  const end = part.indexOf(':')
  const [name, value] = [part.slice(0, end), part.slice(end + 1)]
  const field = fields.find((one) => one.name.toLocaleLowerCase() === name)
  if (field === undefined && name !== NOTE) return undefined
  const known = notes.get(systemId)
  if (field === undefined) return value === '' || (known !== undefined && matchesText(known, value))
  const [, sign = '', operand = ''] = /^([<>]=?)?(.*)$/s.exec(value) ?? []
  return operand === '' || matchesValue(known?.values.get(field.id), { sign, operand, value })
}

function matchesText({ notes, links }: SystemNotes, text: string): boolean {
  const texts = [notes, ...links.flatMap(({ name, url }) => [name, url])]
  return texts.some((one) => one.toLocaleLowerCase().includes(text))
}

/**
 * Comparison in a filter condition about an admin-defined field: `price:>100` has the sign `>` and the operand `100`. Without a sign,
 * `sign` is empty. `value` is the whole text after the colon, to search in texts.
 */
type Comparison = { readonly sign: string; readonly operand: string; readonly value: string }

function matchesValue(stored: string | number | undefined, { sign, operand, value }: Comparison): boolean {
  if (stored === undefined) return false
  if (typeof stored === 'number') return isNumber(operand) && holds(sign, stored - Number(operand.replace(',', '.')))
  if (sign !== '' && isDate(stored)) return holds(sign, compareTexts(stored.slice(0, operand.length), operand))
  return stored.toLocaleLowerCase().includes(value)
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

const isNumber = (text: string): boolean => /^-?\d+(?:[.,]\d+)?$/.test(text)

/**
 * Compares two dates given as text for sorting: negative, 0 or positive. The caller has cut the first to the length of the second, so
 * `2026-03` compares whole months.
 */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function holds(sign: string, difference: number): boolean {
  if (sign === '>') return difference > 0
  if (sign === '<') return difference < 0
  if (sign === '>=') return difference >= 0
  return sign === '<=' ? difference <= 0 : difference === 0
}
