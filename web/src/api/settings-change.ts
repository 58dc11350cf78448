import { ownValue } from '@vedette/protocol/own-value'
import { listOf, type JsonRecord } from './json.ts'

const addressLists = ['emails', 'webhooks'] as const

type Addresses = { readonly [list in (typeof addressLists)[number]]?: readonly string[] }

/**
 * Change of a user's stored settings. `merge` sets settings by name (null deletes one). `add` and `remove` have lists of email addresses
 * and webhook URLs, so that parallel changes of these lists are not lost.
 */
export type SettingsChange = { readonly merge?: JsonRecord; readonly add?: Addresses; readonly remove?: Addresses }

/**
 * Returns the user's stored settings with a change applied, as the hub will apply it. The dashboard shows them before the hub has
 * responded.
 */
export function withChange(stored: JsonRecord, { merge = {}, add = {}, remove = {} }: SettingsChange): JsonRecord {
  const merged = Object.entries({ ...stored, ...merge }).filter(([, value]) => value !== null)
  const lists = addressLists.flatMap((list) => {
    const [added, removed] = [add[list] ?? [], new Set<unknown>(remove[list])]
    if (added.length === 0 && removed.size === 0) return []
    return [[list, [...new Set([...listOf(stored[list]), ...added])].filter((address) => !removed.has(address))] as const]
  })
  return Object.fromEntries([...merged, ...lists])
}

/**
 * Returns the change of settings that undoes `change`, given the stored settings `before` it. Settings that `change` does not touch stay as
 * they are.
 */
export function inverseChange(before: JsonRecord, { merge = {}, add = {}, remove = {} }: SettingsChange): SettingsChange {
  const held = (list: keyof Addresses, address: string) => listOf(before[list]).includes(address)
  const pick = (from: Addresses, wasHeld: boolean): Addresses =>
    Object.fromEntries(addressLists.map((list) => [list, (from[list] ?? []).filter((address) => held(list, address) === wasHeld)]))
  return {
    merge: Object.fromEntries(Object.keys(merge).map((name) => [name, ownValue(before, name) ?? null])),
    add: pick(remove, true),
    remove: pick(add, false),
  }
}
