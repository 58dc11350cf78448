import { isAdmin, type Actor } from './actor.ts'
import type { Collection, Field } from './collection.ts'
import { emptyValue, type Row } from './record-row.ts'

/** A row as the JSON text that is sent of it. */
export type RowText = (row: Row) => string

/**
 * Writes rows without making records of them: what is stored as JSON is sent as it is stored. `undefined` where what is sent
 * depends on more than the row, or parts of values are asked for.
 */
export function rowText(collection: Collection, actor: Actor, fields: string): RowText | undefined {
  const asked = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const plain = asked.every((name) => /^(\w+|\*)$/.test(name))
  const personal = collection.fields.some(({ kind }) => kind === 'secret' || (kind === 'email' && !isAdmin(actor)))
  if (!plain || personal) return undefined
  const shows = (name: string): boolean => asked.length === 0 || asked.includes('*') || asked.includes(name)
  const same = Object.entries({ collectionId: collection.id, collectionName: collection.name })
    .filter(([name]) => shows(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const idText = shows('id') ? [(row: Row) => `"id":${JSON.stringify(String(row['id']))}`] : []
  const shown = collection.fields.filter((field) => field.hidden !== true && shows(field.name))
  const parts = [...idText, ...shown.map(fieldText)]
  const start = `{${same.join(',')}${same.length > 0 && parts.length > 0 ? ',' : ''}`
  return (row) => {
    let text = start
    for (let at = 0; at < parts.length; at += 1) text += at === 0 ? (parts[at]?.(row) ?? '') : `,${parts[at]?.(row) ?? ''}`
    return `${text}}`
  }
}

function fieldText(field: Field): RowText {
  const { name } = field
  const key = `${JSON.stringify(name)}:`
  const nothing = key + JSON.stringify(emptyValue(field))
  const valueText = valueTextOf(field)
  return (row) => {
    const value = row[name]
    return value === undefined || value === null || value === '' ? nothing : key + valueText(value)
  }
}

function valueTextOf(field: Field): (value: string | number) => string {
  switch (field.kind) {
    case 'flag':
      return (value) => String(Number(value) !== 0)
    case 'number':
      return (value) => JSON.stringify(Number(value))
    case 'json':
      return String
    case 'relation':
      return field.many === true ? String : JSON.stringify
    default:
      return JSON.stringify
  }
}
