import { randomBytes } from 'node:crypto'
import { deriveGrantedTags } from '../hub/src/accounts/groups/granted-tags.ts'
import { hashPassword } from '../hub/src/accounts/passwords/password.ts'
import { openDatabase } from '../hub/src/platform/db/open-database.ts'
import { inProcessEventBus, type EventBus } from '../hub/src/platform/events/event-bus.ts'
import { logTo } from '../hub/src/platform/log.ts'
import { secretBox } from '../hub/src/platform/secrets/secret-box.ts'
import { collections } from '../hub/src/records/collections/collections.ts'
import type { Engine } from '../hub/src/records/engine/engine.ts'
import { recordTableStore } from '../hub/src/records/engine/record-table-store.ts'
import type { StoredRecord } from '../hub/src/records/model/stored-record.ts'
import { tagFields } from '../hub/src/records/model/tag.ts'

export const SYSTEMS = 5_000
export const TAGS = 200
export const GROUPS = 50
export const ACCOUNTS = 1_000
const TAGS_OF_A_SYSTEM = 3
const TAGS_OF_A_GROUP = 8

export const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')('bench')

/**
 * Benchmark database of accounts and systems, both in the order of their numbers. Accounts see systems as members (users of the system), or
 * through tags that their groups were granted. Disposing closes the database.
 */
export type TaggedFleet = AsyncDisposable & {
  readonly engine: Engine
  readonly bus: EventBus
  readonly accounts: readonly StoredRecord[]
  readonly systems: readonly StoredRecord[]
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const groupOf = (account: number): number => account % GROUPS
const tagsOfGroup = (group: number): readonly number[] => numbers(TAGS_OF_A_GROUP).map((tag) => (group * TAGS_OF_A_GROUP + tag) % TAGS)
const tagsOfSystem = (system: number): readonly number[] => numbers(TAGS_OF_A_SYSTEM).map((tag) => (system * 7 + tag * 61) % TAGS)
const textOf = (tag: number): string => `tag=${tag}`

/**
 * Returns the numbers (indices) of the accounts that may see this system: those in a group to which one of the system's tags was granted.
 */
function viewersOf(system: number): readonly number[] {
  const tags = new Set(tagsOfSystem(system))
  const groups = new Set(numbers(GROUPS).filter((group) => tagsOfGroup(group).some((tag) => tags.has(tag))))
  return numbers(ACCOUNTS).filter((account) => groups.has(groupOf(account)))
}

/**
 * Creates a database in the folder `directory` with accounts and systems, and resolves with it. Both variants of `by` give each account the
 * same systems. With `tag`, they are shared through tags of groups; with `member`, the accounts are users of the systems.
 */
export async function taggedFleet(directory: string, by: 'member' | 'tag'): Promise<TaggedFleet> {
  const bus = inProcessEventBus()
  const database = await openDatabase({ at: { directory }, bus, log })
  const secrets = secretBox(randomBytes(32))
  const clock = { now: () => Date.now() }
  const store = recordTableStore({ database, collections, secrets, clock })
  const engine: Engine = { database, collections, store, sources: new Map(), secrets, clock, hashPassword }
  const ids = await database.write(async (unit) => {
    const person = (name: string) =>
      store.insert(unit, 'users', { email: `${name}@example.com`, username: name, role: 'user', verified: true })
    const { id: owner } = await person('owner')
    const people: string[] = []
    for (const at of numbers(ACCOUNTS)) people.push((await person(`person${at}`)).id)
    if (by === 'tag') {
      for (const at of numbers(GROUPS)) {
        const members = people.filter((_, account) => groupOf(account) === at)
        const group = await store.insert(unit, 'groups', { name: `group ${at}`, members })
        for (const tag of tagsOfGroup(at)) await store.insert(unit, 'tag_access', { tag: textOf(tag), group: group.id, may: 'view' })
      }
      await deriveGrantedTags({ unit, store }, people)
    }
    for (const at of numbers(SYSTEMS)) {
      const tags = tagsOfSystem(at).map((tag) => ({ tag: textOf(tag), sources: ['admin'] as const }))
      const seen =
        by === 'tag' ? { users: [owner], ...tagFields(tags) } : { users: [owner, ...viewersOf(at).map((one) => people[one] ?? '')] }
      await store.insert(unit, 'systems', { name: `system ${at}`, host: 'h', status: 'up', info: { cpu: at }, ...seen })
    }
    return people
  })
  const byId = new Map((await store.loadWhere('users', {})).map((account) => [account.id, account]))
  const accounts = ids.flatMap((id) => byId.get(id) ?? [])
  const systems = await store.loadWhere('systems', {})
  return { engine, bus, accounts, systems, [Symbol.asyncDispose]: () => database.close() }
}
