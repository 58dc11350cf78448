import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Collection, Field } from '../../records/model/collection.ts'
import { LONGEST_TAG } from '../../records/model/tag.ts'

const date: JsonObject = { type: 'string', description: 'YYYY-MM-DD HH:MM:SS.sssZ in UTC, or empty' }

/** Returns the JSON Schema (2020-12) of a collection's record in a response, without hidden fields. */
export function recordSchema({ name, id, fields }: Collection): JsonObject {
  const shown = fields.filter(({ hidden }) => hidden !== true)
  return {
    type: 'object',
    properties: {
      collectionId: { const: id },
      collectionName: { const: name },
      id: { type: 'string' },
      ...Object.fromEntries(shown.map((field): [string, Json] => [field.name, fieldSchema(field)])),
    },
  }
}

/** Returns the JSON Schema of a collection's record in a write request, without the fields that only the hub sets. */
export function writtenSchema({ type, fields }: Collection): JsonObject {
  const open = fields.filter(({ kind, derived }) => kind !== 'created' && kind !== 'updated' && derived !== true)
  const required = open.filter((field) => field.required === true).map(({ name }) => name)
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      ...Object.fromEntries(open.map((field): [string, Json] => [field.name, fieldSchema(field)])),
      ...(type === 'auth' ? { passwordConfirm: { type: 'string' } } : {}),
    },
    ...(required.length === 0 ? {} : { required }),
  }
}

/**
 * Map from the kind of a record field, such as `date` or `flag`, to its JSON Schema. It has only the kinds whose schema is the same for all
 * fields.
 */
const fixedSchemas = {
  flag: { type: 'boolean' },
  date,
  created: date,
  updated: date,
  email: { type: 'string', format: 'email' },
  password: { type: 'string', writeOnly: true },
} as const satisfies { readonly [Kind in Field['kind']]?: JsonObject }

function fieldSchema(field: Field): JsonObject {
  switch (field.kind) {
    case 'number':
      return { type: field.integer === true ? 'integer' : 'number', ...limits({ minimum: field.min, maximum: field.max }) }
    case 'select':
      return { type: 'string', enum: [...field.values, ...(field.required === true ? [] : [''])] }
    case 'relation':
      return related(field)
    case 'labels':
      return { type: 'array', items: { type: 'string', minLength: 1, maxLength: LONGEST_TAG }, ...limits({ maxItems: field.most }) }
    case 'json':
      return { description: `Any JSON of at most ${field.maxBytes} bytes` }
    case 'text':
    case 'secret':
      return { type: 'string', ...limits({ minLength: field.minLength, maxLength: field.maxLength }) }
    default:
      return fixedSchemas[field.kind]
  }
}

function related({ to, many }: Extract<Field, { kind: 'relation' }>): JsonObject {
  const one: JsonObject = { type: 'string', description: `Id of a record of ${to}` }
  return many === true ? { type: 'array', items: one } : one
}

function limits(values: { readonly [name: string]: number | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined))
}
