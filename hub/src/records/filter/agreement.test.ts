import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { databases } from '../../../test/databases.ts'
import { roundsOf } from '../../../test/longer-runs.ts'
import { collections } from '../collections/collections.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { recordTableStore } from '../engine/record-table-store.ts'
import type { RecordValues } from '../model/record-store.ts'
import { sql } from 'kysely'
import type { Collection } from '../model/collection.ts'
import { type RelatedRecords, loadRelated, matcher } from './matches.ts'
import { resolver } from './resolve.ts'
import { toSql } from './to-sql.ts'

/** Texts that SQL and the matcher might treat differently: cases, wildcards, escapes, numbers, other alphabets. */
const texts = [
  '',
  'a',
  'A',
  'web-1',
  'WEB',
  'a_b',
  'a%b',
  'b\\c',
  '\\',
  '10',
  '9',
  ' 7 ',
  'zürich',
  'ZÜRICH',
  '☂',
  '\u{1F534}',
  '\uFFFD',
  'true',
  'null',
  '"q"',
  "it's",
]
const numbers = [0, 1, -1, 2, 10, 9.5, -3.25, 1048576, 9007199254740991]
const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ maxLength: 5 }).filter((one) => !one.includes('\0')),
)
const number = fc.constantFrom(...numbers)
const info = fc.oneof(
  fc.constantFrom(null, 'text', 7, true, [], {}, [1, 'b']),
  fc.record(
    { cpu: fc.oneof(number, text, fc.boolean(), fc.constant(null)), la: fc.array(number, { maxLength: 3 }), h: text },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.constantFrom('constructor', '__proto__', 'toString'), fc.oneof(number, text), { noNullPrototype: true }),
)
const people = ['u1', 'u2', 'u3']
/** Tags that a search in the JSON text of a list might confuse: prefixes, wildcards, escapes, JSON syntax, other alphabets. */
const tags = ['env', 'env=prod', 'Env=prod', 'a_b', 'a%b', 'b\\c', '\\', '\\u0041', '[]', "it's", ':', 'zürich', '\u{1F534}', '__proto__']
const system = fc.record({
  name: text,
  host: text,
  port: text,
  status: fc.constantFrom('up', 'down', ''),
  info,
  users: fc.subarray(people),
  tags: fc.subarray(tags),
  accessTags: fc.subarray(tags, { maxLength: 2 }),
})
const alert = fc.record({
  user: fc.constantFrom(...people, ''),
  system: fc.constantFrom('s0', 's1', 's2', 'gone', ''),
  name: text,
  value: number,
  min: number,
  triggered: fc.boolean(),
})
const fingerprint = fc.record({ token: fc.constantFrom('', 'token-one', 'token-two'), fingerprint: text })

const quoted = (one: string): string => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const literal = fc.oneof(
  fc.constantFrom(...people).map(quoted),
  text.map(quoted),
  number.map(String),
  fc.constantFrom('true', 'false', 'null', "'%1'", "'w%'", "'a_b%'", '@now'),
)
const tagLiteral = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...tags).map(quoted) },
  { weight: 2, arbitrary: literal },
  fc.constantFrom("','", `'"'`, `'","'`, "'env%'", "'%=prod'", '@request.auth.viewTags', '@request.auth.changeTags', '@request.auth.name'),
)
const tagComparison = fc.constantFrom('=', '!=', '~', '!~', '?=', '?!=', '?~', '?!~')
const caller = { id: 'u1', viewTags: tags.slice(0, 9), changeTags: tags.slice(2, 4) }

const systemNames = [
  'name',
  'host',
  'port',
  'status',
  'info',
  'info.cpu',
  'info.la.0',
  'info.la',
  'info.h',
  'info.constructor',
  'info.__proto__',
  'info.toString',
  'info.__proto__.toString',
  'users',
  'users.id',
  'users.email',
  'users.role',
  'users:each',
  'users:length',
  'tags:length',
  'tagSources',
  'name:lower',
  'status:length',
  'info.h:lower',
  'created',
  'alerts_via_system.value',
  'alerts_via_system.name',
  'alerts_via_system.user.email',
  'fingerprints_via_system.token',
  'fingerprints_via_system.fingerprint',
]
const alertNames = [
  'name',
  'value',
  'value:lower',
  'triggered:lower',
  'min',
  'triggered',
  'user',
  'user.email',
  'system',
  'system.id',
  'system.name',
  'system.info.cpu',
  'system.users.id',
  'system.users.role',
  'system.users:length',
  'user:length',
  'system.alerts_via_system.value',
  '@collection.users.id',
]
const comparison = fc.constantFrom('=', '!=', '>', '>=', '<', '<=', '~', '!~', '?=', '?!=', '?>', '?>=', '?<', '?<=', '?~', '?!~')

function filterOn(names: readonly string[], tagNames: readonly string[]): fc.Arbitrary<string> {
  const operand = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, { weight: 3, arbitrary: literal })
  const one = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(operand, comparison, operand) },
    fc.tuple(fc.constantFrom(...tagNames), tagComparison, tagLiteral),
    fc.tuple(tagLiteral, fc.constantFrom('=', '?!='), fc.constantFrom(...tagNames)),
  )
  const compared = one.map((parts) => parts.join(' '))
  return fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      compared,
      fc.tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter')).map(([left, join, right]) => `(${left}) ${join} (${right})`),
    ),
  })).filter
}

const runs = roundsOf({ short: 40, long: 1_000, soak: 10_000 })

for (const kind of databases) {
  for (const [name, names, tagNames] of [
    ['systems', systemNames, ['tags', 'accessTags', 'users.systems_via_users.tags']],
    ['alerts', alertNames, ['system.tags', 'system.accessTags', 'user.systems_via_users.accessTags']],
  ] as const) {
    test(`${kind.name}: SQL returns the same ${name} that matcher() accepts`, async () => {
      await using opened = await kind.open()
      const { database } = opened
      const secrets = secretBox(randomBytes(32))
      const store = recordTableStore({ database, collections, secrets, clock: { now: () => Date.UTC(2024, 5, 1) } })
      const collection = find(name)
      const related: RelatedRecords = {
        ...store,
        loadAll: (one) => store.loadSelected(one, sql``),
        listable: async (_, records) => records,
      }
      const found = { some: 0 }
      await fc.assert(
        fc.asyncProperty(
          fc.array(system, { maxLength: 3 }),
          fc.array(alert, { maxLength: 4 }),
          fc.array(fingerprint, { maxLength: 2 }),
          fc.array(filterOn(names, tagNames), { minLength: 20, maxLength: 20 }),
          async (systems, alerts, prints, filters) => {
            await fill([
              ...people.map((id) => ['users', { id, email: `${id}@x.y`, username: id, role: id === 'u1' ? 'admin' : 'user' }] as const),
              ...systems.map((one, at) => ['systems', { ...one, id: `s${at}` }] as const),
              ...alerts.map((one, at) => ['alerts', { ...one, id: `a${at}`, name: `${at}${one.name}` }] as const),
              ...prints.map((one, at) => ['fingerprints', { ...one, system: `s${at}`, id: `f${at}` }] as const),
            ])
            const all = await store.loadSelected(collection, sql``)
            for (const filter of filters) await agree(filter, all)
          },
        ),
        { numRuns: runs },
      )
      assert.ok(found.some > runs / 4, `only ${found.some} filters selected some but not all records`)

      async function fill(records: readonly (readonly [string, RecordValues])[]): Promise<void> {
        await database.write(async (unit) => {
          for (const one of ['users', 'systems', 'alerts', 'fingerprints']) await sql`delete from ${sql.table(one)}`.execute(unit.sql)
          for (const [into, values] of records) await store.insert(unit, into, values)
        }, 'process')
      }

      async function agree(filter: string, all: Awaited<ReturnType<typeof store.loadSelected>>): Promise<void> {
        const resolving = resolver(collection, {
          collections,
          facts: { actor: caller, context: 'default', method: 'GET', query: {}, headers: {} },
          nowMs: 0,
        })
        const plan = resolving.plan(resolving.condition(filter, 'everything'))
        const reach = await loadRelated(plan.joins, all, related)
        const matches = matcher(plan)
        const byMatches = all.filter((record) => matches(record, reach)).map(({ id }) => id)
        const { where, exact } = toSql(plan, database.dialect, secrets)
        const bySql = (await store.loadSelected(collection, sql`where ${where}`)).map(({ id }) => id)
        if (byMatches.length > 0 && byMatches.length < all.length) found.some += 1
        const narrowed = exact ? bySql : bySql.filter((id) => byMatches.includes(id))
        assert.deepEqual(narrowed.toSorted(), byMatches.toSorted(), `${filter} on ${JSON.stringify(all)}`)
      }
    })
  }
}

function find(name: string): Collection {
  const collection = collections.find(name)
  assert.ok(collection)
  return collection
}
