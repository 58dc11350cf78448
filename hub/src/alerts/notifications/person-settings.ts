import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isJsonObject } from '../../platform/json.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { validate } from '../../records/writing/validate.ts'
import { contextOf } from '../../records/writing/write.ts'

/**
 * Names of the user settings that hold lists of addresses: `emails` and `webhooks`. Requests add or remove single addresses, so that two
 * browsers do not overwrite each other's list.
 */
const addressLists = ['emails', 'webhooks'] as const

type Addresses = { readonly [list in (typeof addressLists)[number]]?: readonly string[] }

/**
 * Requested change of a user's settings. `merge` sets fields, or removes those that are null. `add` and `remove` list addresses to add to
 * or remove from `emails` (email) and `webhooks` (channel URLs).
 */
export type SettingsChange = { readonly merge: JsonObject; readonly add: Addresses; readonly remove: Addresses }

/**
 * Parses a request body `{ merge, add: { emails, webhooks }, remove: { emails, webhooks } }`; each member is optional. Throws 400 for a
 * member of the wrong form, and if `merge` contains `emails` or `webhooks`. Other members of the body are ignored.
 */
export function parseSettingsChange({ merge = {}, add = {}, remove = {} }: Body): SettingsChange {
  if (!isJsonObject(merge) || addressLists.some((list) => Object.hasOwn(merge, list))) throw badRequest('Bad data.')
  return { merge, add: parseAddresses(add), remove: parseAddresses(remove) }
}

function parseAddresses(value: Json): Addresses {
  if (!isJsonObject(value)) throw badRequest('Bad data.')
  const read = Object.entries(value).map(([name, texts]) => {
    const list = addressLists.find((one) => one === name)
    if (list === undefined || !Array.isArray(texts)) throw badRequest('Bad data.')
    const addresses = texts.filter((text) => typeof text === 'string' && text !== '')
    if (addresses.length < texts.length) throw badRequest('Bad data.')
    return [list, addresses] as const
  })
  return Object.fromEntries(read)
}

/**
 * Returns a copy of a user's stored settings with a change applied. Null in `merge` removes a field; fields that the change does not name
 * keep their values.
 */
export function mergedSettings(stored: JsonObject, { merge, add, remove }: SettingsChange): JsonObject {
  const next = new Map(Object.entries(stored))
  for (const [name, value] of Object.entries(merge)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  for (const list of addressLists) {
    const [added, removed] = [add[list] ?? [], remove[list] ?? []]
    if (added.length === 0 && removed.length === 0) continue
    const before = next.get(list)
    const kept = (Array.isArray(before) ? before : []).filter((one) => typeof one !== 'string' || !removed.includes(one))
    next.set(list, [...kept, ...new Set(added.filter((one) => !kept.includes(one)))])
  }
  return Object.fromEntries(next)
}

/** Loads the settings (preferences, such as channels and language) of the user with this id, as a JSON object; `{}` if none are stored. */
export async function loadPersonSettings({ store }: Engine, userId: string): Promise<JsonObject> {
  const [record] = await store.loadWhere('user_settings', { user: userId })
  return record === undefined ? {} : settingsIn(record)
}

/**
 * Locks a user's settings in a transaction, stores the result of `change` for the stored settings, and resolves to it. Rejects with 400 for
 * invalid settings, such as too large ones, and with 404 for a deleted user.
 */
export async function changePersonSettings(
  engine: Engine,
  unit: UnitOfWork,
  userId: string,
  change: (stored: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const record = await loadSettingsToChange(engine, unit, userId)
  const next = { ...record, settings: change(settingsIn(record)) }
  const collection = engine.collections.find('user_settings')
  if (collection === undefined) throw notFound()
  const errors = await validate(engine, collection, { record: next, previous: record }, unit)
  if (Object.keys(errors).length > 0) throw badRequest('Failed to update record.', errors)
  return settingsIn((await engine.store.update(unit, 'user_settings', record.id, next)) ?? next)
}

/**
 * Loads a user's settings record and locks it until the end of the transaction. Creates it if it is missing. Rejects with 404 if the user
 * does not exist.
 */
export async function loadSettingsToChange(engine: Engine, unit: UnitOfWork, userId: string): Promise<StoredRecord> {
  // Locking the account first serialises two requests that create the first record.
  if ((await engine.store.loadToChange('users', userId, unit)) === undefined) throw notFound()
  const [found] = await engine.store.loadWhere('user_settings', { user: userId }, unit)
  const record = found === undefined ? await createSettings(engine, unit, userId) : found
  return (await engine.store.loadToChange('user_settings', record.id, unit)) ?? record
}

async function createSettings(engine: Engine, unit: UnitOfWork, userId: string): Promise<StoredRecord> {
  const given = { user: userId, settings: {} }
  const values = await engine.collections.find('user_settings')?.hooks?.prepareCreate?.(given, contextOf(engine, unit))
  return engine.store.insert(unit, 'user_settings', values ?? given)
}

const settingsIn = ({ settings = null }: StoredRecord): JsonObject => (isJsonObject(settings) ? settings : {})
