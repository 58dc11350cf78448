import assert from 'node:assert/strict'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { tagFields, type SourcedTag } from '../src/records/model/tag.ts'
import type { RecordValues } from '../src/records/model/record-store.ts'
import { recordDate } from '../src/records/model/stored-record.ts'
import { deriveGrantedTags } from '../src/accounts/groups/granted-tags.ts'
import type { TestDatabaseKind } from './databases.ts'
import { recordedHub } from './recorded-hub.ts'

/** The tag that the grants of the scene name. */
export const TAG = 'env=prod'
export const SYSTEM = 'tagged000000001'

/** Callers, with what each may do to the tagged system: always, and as long as the tag gives access. */
export const callers = {
  guest: { always: 'none', byTag: 'none' },
  readonly: { role: 'readonly', always: 'none', byTag: 'none' },
  other: { role: 'user', always: 'none', byTag: 'none' },
  // Has grants of another tag, which no system carries with a trusted source.
  grantedOther: { role: 'user', always: 'none', byTag: 'none' },
  owner: { role: 'user', always: 'change', byTag: 'change' },
  readonlyUser: { role: 'readonly', always: 'view', byTag: 'view' },
  viewer: { role: 'user', always: 'none', byTag: 'view' },
  changer: { role: 'user', always: 'none', byTag: 'change' },
  readonlyChanger: { role: 'readonly', always: 'none', byTag: 'view' },
  viewingMember: { role: 'user', always: 'none', byTag: 'view' },
  changingMember: { role: 'user', always: 'none', byTag: 'change' },
  admin: { role: 'admin', always: 'change', byTag: 'change' },
  superuser: { always: 'change', byTag: 'change' },
} as const satisfies Readonly<Record<string, { role?: string; always: Level; byTag: Level }>>
export type Caller = keyof typeof callers
type Level = 'none' | 'view' | 'change'

export const idOf = (caller: Caller): string => caller.toLowerCase().padEnd(15, '0')

/** The records of the tagged system, by collection. */
const ofSystem: Readonly<Record<string, RecordValues>> = {
  containers: { id: 'abcdef000001', name: 'web', updated: 1 },
  systemd_services: { id: 'service0000001', name: 'ssh', state: 1, updated: 1 },
  system_details: { id: SYSTEM, hostname: 'h' },
  smart_devices: { id: 'drive0000000001', name: 'sda' },
  fingerprints: { id: 'print0000000001', token: 'token-of-the-tagged-system', fingerprint: 'fingerprint-1' },
}

/** A hub with one system that carries a tag, a user for each caller, and the grants of the callers. Nothing else has this tag. */
export async function taggedSystem(kind: TestDatabaseKind) {
  const hub = await recordedHub(kind)
  const { store, database } = hub.engine
  const people = (Object.keys(callers) as Caller[]).filter((caller) => 'role' in callers[caller]) // its keys
  const roleOf = (caller: Caller): string => ('role' in callers[caller] ? String(callers[caller].role) : '')
  await database.write(async (unit) => {
    for (const one of people)
      await store.insert(unit, 'users', { id: idOf(one), email: `${one}@x.y`, username: one, role: roleOf(one), verified: true })
    const users = [idOf('owner'), idOf('readonlyUser')]
    await store.insert(unit, 'systems', { id: SYSTEM, name: 'tagged', host: 'h', port: '1', status: 'paused', users })
    for (const [name, values] of Object.entries(ofSystem)) await store.insert(unit, name, { ...values, system: SYSTEM })
    for (const [group, member, may] of [
      ['viewers', 'viewingMember', 'view'],
      ['changers', 'changingMember', 'change'],
    ] as const) {
      const { id } = await store.insert(unit, 'groups', { name: group, members: [idOf(member)] })
      await store.insert(unit, 'tag_access', { tag: TAG, group: id, may })
    }
    for (const [user, tag, may] of [
      ['viewer', TAG, 'view'],
      ['changer', TAG, 'change'],
      ['readonlyChanger', TAG, 'change'],
      ['grantedOther', 'env=PROD', 'change'],
      ['grantedOther', 'env=pro', 'change'],
      ['grantedOther', 'env=%', 'change'],
    ] as const)
      await store.insert(unit, 'tag_access', { tag, user: idOf(user), may })
    await deriveGrantedTags({ unit, store }, people.map(idOf))
  })
  const date = recordDate(Date.now())
  for (const name of ['system_stats', 'container_stats'])
    hub.measured(name, { id: `${name.slice(0, 5)}0000000001`, system: SYSTEM, type: '1m', stats: {}, created: date })
  const tokens = new Map<Caller, string>()
  for (const one of people) {
    const account = (await store.load('users', idOf(one))) ?? assert.fail(one)
    const collection = hub.engine.collections.find('users') ?? assert.fail()
    const visitor = { address: '127.0.0.1', browser: 'node', mfaId: '' }
    tokens.set(one, (await hub.accounts.auth.impersonate(collection, account, { seconds: 3600, by: '', visitor })).token)
  }
  tokens.set('superuser', await hub.tokenOf('super'))

  /** Sends a request such as `GET /path`. `token` may be that of an API key. */
  async function send(token: string, call: string, json?: Json): Promise<{ readonly status: number; readonly text: string }> {
    const [method = '', path = ''] = call.split(' ')
    const headers = {
      ...(token === '' ? {} : { authorization: token }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const request = new Request(`http://hub${path}`, { method, headers, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
    const response = await hub.app.fetch(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } })
    return { status: response.status, text: await response.text() }
  }

  return {
    hub,
    send,
    ask: (caller: Caller, call: string, json?: Json) => send(tokens.get(caller) ?? '', call, json),
    tokenOf: (caller: Caller): string => tokens.get(caller) ?? '',
    /** Stores the tags of the system as the hub itself does. */
    setTags: (tags: readonly SourcedTag[]) => database.write((unit) => store.update(unit, 'systems', SYSTEM, tagFields(tags))),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  }
}
