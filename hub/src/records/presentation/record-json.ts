import type { Actor } from '../model/actor.ts'
import type { Collection } from '../model/collection.ts'
import { FIELD_TEXT, type WritesItself } from '../model/field-text.ts'
import { fieldPicker } from './pick-fields.ts'
import { plainFields } from '../model/plain-fields.ts'
import { presentRecord, shows } from './present.ts'

/** Writes records as they are sent, as JSON; `fields` as clients give them. Throws what `fieldPicker` throws. */
export function recordWriter(collection: Collection, actor: Actor, fields: string): (record: WritesItself) => string {
  const pick = fieldPicker(fields)
  const isAsked = plainFields(fields)
  if (isAsked === undefined) return (record) => JSON.stringify(pick(presentRecord(collection, record, actor)))
  const head = Object.entries({ collectionId: collection.id, collectionName: collection.name })
    .filter(([name]) => isAsked(name))
    .map(([name, value]) => `${member(name)}${JSON.stringify(value)}`)
  const withId = isAsked('id')
  const asked = collection.fields.filter(({ name }) => isAsked(name)).map((field) => ({ field, before: member(field.name) }))
  return (record) => {
    const members = [...head]
    if (withId) members.push(`${member('id')}${JSON.stringify(record.id)}`)
    for (const { field, before } of asked)
      if (shows(field, record, actor))
        members.push(before + (record[FIELD_TEXT]?.(field.name) ?? JSON.stringify(record[field.name] ?? null)))
    return `{${members.join(',')}}`
  }
}

const member = (name: string): string => `${JSON.stringify(name)}:`
