import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { idForm, type Collection, type Collections, type Field } from '../model/collection.ts'
import type { Engine } from './engine.ts'

const rule = z.string().nullable()
/**
 * Schema of a field in the JSON description of a collection. Further members depend on the field's type: `labels` marks a list of tags,
 * `derived` a field that no client writes.
 */
const fieldModelSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    hidden: z.boolean(),
    presentable: z.boolean(),
    required: z.boolean(),
    system: z.boolean(),
  })
  .catchall(z.custom<Json>())
const signInWay = z.object({ enabled: z.boolean() }).catchall(z.custom<Json>()).exactOptional()

/**
 * Schema of the JSON description of a collection. The optional members from `authRule` to the end exist only for a collection whose records
 * are accounts.
 */
export const collectionModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  system: z.boolean(),
  listRule: rule,
  viewRule: rule,
  createRule: rule,
  updateRule: rule,
  deleteRule: rule,
  fields: z.array(fieldModelSchema),
  indexes: z.array(z.string()),
  authRule: z.string().exactOptional(),
  manageRule: rule.exactOptional(),
  passwordAuth: signInWay,
  oauth2: signInWay,
  mfa: signInWay,
  otp: signInWay,
  secondFactor: z.object({ required: z.boolean() }).exactOptional(),
  authAlert: signInWay,
})

/** Returns the description of a collection as JSON, for tools that generate types or forms from it. */
export function collectionModel(collection: Collection, collections: Collections): z.infer<typeof collectionModelSchema> {
  const { id, name, type, rules, fields, unique, storage, idForm: form } = collection
  const { list, view, create, update, delete: remove } = rules
  return {
    id,
    name,
    type,
    system: name.startsWith('_'),
    listRule: list,
    viewRule: view,
    createRule: create,
    updateRule: update,
    deleteRule: remove,
    fields: [
      {
        ...described('id', 'text'),
        id: 'text_id',
        min: form.minLength,
        max: form.maxLength,
        pattern: form.pattern.source,
        primaryKey: true,
        required: true,
        system: true,
      },
      ...fields.map((field) => fieldModel(field, collections)),
    ],
    indexes: storage === 'table' ? unique.map((one) => uniqueIndex(name, one.fields)) : [],
    ...(type === 'auth' ? signingIn : {}),
  }
}

const signingIn = {
  authRule: 'verified = true',
  manageRule: null,
  passwordAuth: { enabled: true, identityFields: ['email'] },
  oauth2: { enabled: false, providers: [] },
  mfa: { enabled: false, duration: 0 },
  otp: { enabled: false, duration: 0, length: 0 },
}

const described = (name: string, type: string) => ({
  name,
  type,
  hidden: false,
  presentable: false,
  required: false,
  system: false,
})

function fieldModel(field: Field, collections: Collections): z.infer<typeof fieldModelSchema> {
  const type = types[field.kind]
  const more = options(field, collections)
  return {
    ...described(field.name, type),
    id: `${type}_${field.name}`,
    hidden: field.hidden === true,
    required: field.required === true,
    ...(field.derived === true ? { derived: true } : {}),
    ...more,
  }
}

const types: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  email: 'email',
  number: 'number',
  flag: 'bool',
  select: 'select',
  relation: 'relation',
  date: 'date',
  created: 'autodate',
  updated: 'autodate',
  json: 'json',
  labels: 'json',
  secret: 'text',
  password: 'password',
}

function options(field: Field, collections: Collections): JsonObject {
  switch (field.kind) {
    case 'text':
    case 'secret':
      return lengths(field)
    case 'number':
      return { min: field.min ?? null, max: field.max ?? null, onlyInt: field.integer === true }
    case 'select':
      return { maxSelect: 1, values: [...field.values] }
    case 'relation':
      return reach(field, collections)
    case 'json':
      return { maxSize: field.maxBytes }
    case 'labels':
      return { maxSize: 0, labels: true }
    case 'created':
    case 'updated':
      return { onCreate: true, onUpdate: field.kind === 'updated' }
    default:
      return {}
  }
}

function lengths({ minLength = 0, maxLength = 0, pattern }: Extract<Field, { kind: 'text' | 'secret' }>): JsonObject {
  return { min: minLength, max: maxLength, pattern: pattern?.source ?? '' }
}

function reach({ to, cascade, many }: Extract<Field, { kind: 'relation' }>, collections: Collections): JsonObject {
  const maxSelect = many === true ? 2_147_483_647 : 1
  return { collectionId: collections.find(to)?.id ?? '', cascadeDelete: cascade === true, minSelect: 0, maxSelect }
}

function uniqueIndex(name: string, fields: readonly string[]): string {
  return `CREATE UNIQUE INDEX \`idx_${name}_${fields.join('_')}\` ON \`${name}\` (${fields.map((field) => `\`${field}\``).join(', ')})`
}

const blankModel = (type: string): JsonObject => ({
  id: '',
  name: '',
  type,
  system: false,
  fields: [],
  indexes: [],
  listRule: null,
  viewRule: null,
})

/**
 * Map from collection type (`base`, `auth`, `view`) to the JSON description of an empty new collection, from which an admin tool's form
 * starts.
 */
export const scaffolds = { base: blankModel('base'), auth: blankModel('auth'), view: blankModel('view') }

const adminsOnly = { list: null, view: null, create: null, update: null, delete: null } as const

const texts = (names: readonly string[]): Field[] => names.map((name) => ({ kind: 'text', name }))
const jsons = (names: readonly string[]): Field[] => names.map((name) => ({ kind: 'json', name, maxBytes: 0 }))

function backOfficeCollection(name: string, fields: readonly Field[]): Collection {
  return { name, id: name, type: 'base', storage: 'source', idForm: idForm(15), fields, rules: adminsOnly, unique: [] }
}

/**
 * Returns a pseudo-collection named `collections`, with one record for each collection of the hub, for clients that list them like records.
 * The returned copy of `engine` must be used for that list: it can load these records.
 */
export function collectionRecords(engine: Engine): { readonly collection: Collection; readonly engine: Engine } {
  const collection = backOfficeCollection('collections', [
    ...texts(['name', 'type']),
    { kind: 'flag', name: 'system' },
    ...texts(['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule']),
    ...jsons(['fields', 'indexes']),
  ])
  const records = engine.collections.all.map((one) => ({ ...collectionModel(one, engine.collections), id: one.id }))
  const source = { load: async () => records, loadOne: async (id: string) => records.find((one) => one.id === id) }
  return { collection, engine: { ...engine, sources: new Map([[collection.name, source]]) } }
}
