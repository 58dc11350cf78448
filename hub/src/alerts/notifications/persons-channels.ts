import type { Json } from '@vedette/protocol/wire/stats-json'
import { kindOf, schemeOf } from '../../delivery/channels/channels.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { whereReadable } from '../../records/engine/where-readable.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import { textOf } from '../../records/model/stored-record.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { Target } from './delivery-job.ts'

export type PersonsChannel = { readonly target: Target; readonly kind: string }

/** Maximum number of channel addresses, and of email addresses. The rest is ignored. */
const MOST = 20

type ChannelsQuery = {
  readonly records: Pick<RecordStore, 'loadWhere'>
  readonly unit: UnitOfWork
  readonly owner: string
  readonly sendsMail: boolean
}

/**
 * The channels in a person's settings; without stored settings their account's email address. Values that are not text are skipped. Invalid
 * addresses stay, and fail when they are used.
 */
export async function channelsOf({ records, unit, owner, sendsMail }: ChannelsQuery): Promise<readonly PersonsChannel[]> {
  // Settings that cannot be read yield no channels. They must not block notifications to other people.
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
