import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isAdmin } from '../../../src/records/model/stored-record.ts'
import { databases } from '../../databases.ts'
import { roundsOf } from '../../longer-runs.ts'
import { foreignHub, importScene } from './records-scene.ts'

const tables = [
  'users',
  '_superusers',
  '_externalAuths',
  'systems',
  'fingerprints',
  'universal_tokens',
  'containers',
  'systemd_services',
  'smart_devices',
  'system_details',
  'user_settings',
  'quiet_hours',
  'alerts',
  'alerts_history',
  '_params',
  '_collections',
]

/** Values that occur in such tables, in their place or not: ids of the recorded database, names, dates, JSON, numbers. */
const likely = [
  'jfhgzel966sgj78',
  'mqdcvigtc891apa',
  'h2g8djyvmfdtz6n',
  'f3kctrf6xf1hxgh',
  'bl2cra9wy4068lq',
  '1p1k429e2hk7d4e',
  'r3g6yjwjv9rahtr',
  '_pb_users_auth_',
  'admin',
  'readonly',
  'user',
  'CPU',
  'Status',
  'paused',
  'daily',
  'settings',
  'admin@example.com',
  'eve@example.com',
  '["jfhgzel966sgj78","mqdcvigtc891apa"]',
  '{"webhooks":[1,"mqtt://x"],"emails":{},"a":"\\u0000"}',
  '{"smtp":{"enabled":true,"port":"x"},"meta":{"appName":7},"rateLimits":{"rules":[{}]},"logs":[],"backups":{"cron":1}}',
  '2026-11-23 14:37:00.041Z',
  '2026-11-23 14:37:00.041426797 +0000 UTC',
  '9999-99-99 99:99:99Z',
  '{"oauth2":{"enabled":true,"providers":[1,{"name":"oidc","clientId":"a","clientSecret":"b","extra":{"issuers":[7,"https://a.b"]}}]},"mfa":{"enabled":true}}',
  '@request.context = "oauth2"',
  '_superusers',
  'users',
  'oidc',
  '[[[[',
  'a\0b',
  '',
]

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...likely) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(6000)) },
  { weight: 1, arbitrary: fc.json() },
  fc.constant(null),
  fc.constantFrom(0, 1, -1, 60.5, 61, 1e300, -1e300, 2 ** 53),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.uint8Array({ maxLength: 20 }),
)

const rows = fc.array(fc.tuple(fc.constantFrom(...tables), fc.array(value, { minLength: 16, maxLength: 16 })), {
  minLength: 5,
  maxLength: 40,
})

/** The recorded database with further rows, without its unique indexes, and without what would refuse a null. */
function damagedHub(added: readonly (readonly [table: string, values: readonly (string | number | bigint | Uint8Array | null)[]])[]) {
  const foreign = foreignHub('0.18.8-head')
  const { database } = foreign
  for (const table of tables) {
    database.exec(`create table "copy" as select * from "${table}"; drop table "${table}"; alter table "copy" rename to "${table}"`)
  }
  for (const [table, values] of added) {
    const columns = database.prepare(`select name from pragma_table_info('${table}')`).all()
    const given = values.slice(0, columns.length)
    database.prepare(`insert into "${table}" values (${given.map(() => '?').join(', ')})`).run(...given)
  }
  return foreign
}

const hasSuperuser = ({ database }: ReturnType<typeof foreignHub>): boolean =>
  database.prepare(`select 1 from _superusers where email = 'admin@example.com'`).all().length > 0

/** Texts and numbers that mean true in the other hub's column `verified`. */
const yes = new Set<unknown>([1, '1', 't', 'T', 'true', 'TRUE', 'True', 1n])

for (const kind of databases)
  test(`${kind.name}: random rows of random types never throw, never make an admin and never widen a role`, async () => {
    const numRuns = roundsOf(kind.name === 'sqlite' ? { short: 12, long: 400, soak: 4000 } : { short: 4, long: 60, soak: 600 })
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (added, isChosen) => {
        using foreign = damagedHub(added)
        await using scene = await importScene(kind)
        const own = await scene.insert('users', {
          email: 'eve@example.com',
          username: 'bea',
          password: 'own',
          role: 'readonly',
          verified: true,
        })
        const admins = isChosen && hasSuperuser(foreign) ? ['admin@example.com'] : []
        const plan = await scene.take(foreign, admins)
        const people = await scene.all('users')
        assert.deepEqual(await scene.target.records.load('users', own.id), own)
        const statement = foreign.database.prepare('select cast(id as text) as id, role, verified from users')
        statement.setReadBigInts(true)
        const originals = Map.groupBy(statement.all(), ({ id }) => String(id))
        const wasAdmin = (id: string): boolean => originals.get(id)?.some(({ role }) => role === 'admin') === true
        assert.ok(people.filter(isAdmin).every(({ id, email }) => admins.some((one) => one === email) || wasAdmin(id)))
        for (const person of people) {
          const same = originals.get(person.id)
          if (same === undefined || admins.some((one) => one === person['email'])) continue
          if (person['role'] !== 'readonly') assert.ok(same.some(({ role }) => role !== 'readonly'))
          if (person['verified'] === true) assert.ok(same.some(({ verified }) => yes.has(verified)))
        }
        const ids = new Set(people.map(({ id }) => id))
        for (const { users: members } of await scene.all('systems')) {
          assert.ok(Array.isArray(members) && members.length > 0 && members.every((id) => ids.has(String(id))))
        }
        for (const { found, taken, present, leftOut } of plan.lines)
          assert.equal(found, taken + present + leftOut.reduce((sum, { count }) => sum + count, 0))
        const again = await scene.plan(foreign, admins)
        assert.deepEqual(
          again.lines.filter(({ taken }) => taken > 0),
          [],
        )
      }),
      { numRuns },
    )
  })
