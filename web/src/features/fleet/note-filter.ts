import type { DefinedField, SystemNotes } from '../../api/system-notes.ts'

/** Fields that admins defined, and notes with values by the id of the system. */
export type NotedSystems = { readonly fields: readonly DefinedField[]; readonly notes: ReadonlyMap<string, SystemNotes> }

/** Part `name:value` of a filter, in lower case. */
type NotePart = { readonly name: string; readonly value: string }

/** Name of the filter part that searches the notes and links of systems: `note:cellar`. */
const NOTE = 'note'

/**
 * Returns true when a system matches a part of the filter: `note:text` searches its notes and links, the name of a defined field its value.
 * Numbers and dates can be compared: `price:>100`. `undefined` when no field has that name. A half-typed part matches each system.
 */
export function matchesNote({ fields, notes }: NotedSystems, systemId: string, { name, value }: NotePart): boolean | undefined {
  const field = fields.find((one) => one.name.toLocaleLowerCase() === name)
  if (field === undefined && name !== NOTE) return undefined
  const [, sign = '', operand = ''] = /^([<>]=?)?(.*)$/s.exec(value) ?? []
  if (operand === '') return true
  const known = notes.get(systemId)
  if (known === undefined) return false
  if (field === undefined) {
    const texts = [known.notes, ...known.links.flatMap((link) => [link.name, link.url])]
    return texts.some((text) => text.toLocaleLowerCase().includes(value))
  }
  const stored = known.values.get(field.id)
  if (stored === undefined) return false
  if (typeof stored === 'number') return isNumber(operand) && holds(sign, stored - Number(operand.replace(',', '.')))
  if (field.kind === 'date' && sign !== '') return holds(sign, compareTexts(stored.slice(0, operand.length), operand))
  return stored.toLocaleLowerCase().includes(value)
}

const isNumber = (text: string): boolean => /^-?\d+(?:[.,]\d+)?$/.test(text)

/** Compares two dates, of which a shorter one such as `2026` or `2026-03` is a year or a month. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function holds(sign: string, difference: number): boolean {
  if (sign === '>') return difference > 0
  if (sign === '<') return difference < 0
  if (sign === '>=') return difference >= 0
  return sign === '<=' ? difference <= 0 : difference === 0
}
