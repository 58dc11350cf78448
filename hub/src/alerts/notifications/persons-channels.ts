import type { Json } from '@vedette/protocol/wire/stats-json'
import { kindOf, schemeOf } from '../../delivery/channels/channels.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { whereReadable } from '../../records/engine/where-readable.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import { textOf } from '../../records/model/stored-record.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { Target } from './delivery-job.ts'

export type PersonsChannel = { readonly target: Target; readonly kind: string }

/** More of each are not asked. */
const MOST = 20

type ChannelsQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly sendsMail: boolean
}

/**
 * Where a person wants to be told, as their settings say now; who never chose is told by mail. What is no text is left out; what is no
 * address shows when it is used.
 */
export async function channelsOf({ records, unit, owner, sendsMail }: ChannelsQuery): Promise<readonly PersonsChannel[]> {
  // What cannot be read says of no channel, and keeps nobody else from being told.
  const settings = await whereReadable(() => settingsOf(records, unit, owner))
  if (settings === undefined || !isJsonObject(settings)) return []
  const addresses = texts(settings['webhooks']).map((address): PersonsChannel => ({
    target: { way: 'address', address },
    kind: kindOf(address)?.name ?? schemeOf(address).slice(0, 40),
  }))
  const letters = texts(settings['emails']).map((to): PersonsChannel => ({ target: { way: 'mail', to }, kind: 'e-mail' }))
  return [...addresses, ...(sendsMail ? letters : [])]
}

async function settingsOf(records: ChannelsQuery['records'], unit: UnitOfWork, owner: string): Promise<Json | undefined> {
  const [record] = await records.loadWhere('user_settings', { user: owner }, unit)
  return record === undefined ? { emails: await ownAddress(records, unit, owner) } : record['settings']
}

async function ownAddress(records: ChannelsQuery['records'], unit: UnitOfWork, id: string): Promise<readonly string[]> {
  return (await records.loadWhere('users', { id }, unit)).map((account) => textOf(account, 'email'))
}

function texts(value: Json | undefined): readonly string[] {
  const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string').map((one) => one.trim()) : []
  return [...new Set(all.filter((one) => one !== ''))].slice(0, MOST)
}
