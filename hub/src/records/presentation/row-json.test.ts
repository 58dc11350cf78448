import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { sql } from 'kysely'
import { databases } from '../../../test/databases.ts'
import { collections } from '../collections/collections.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import type { Actor } from '../model/stored-record.ts'
import { fieldPicker, presentRecord } from './present.ts'
import { type Collection, type Field, type Row, toRecord } from '../model/collection.ts'
import { rowJson } from './row-json.ts'

const secrets = secretBox(randomBytes(32))
const admin: Actor = { id: 'a', role: 'admin', verified: true }

/** No database stores these in a text: U+0000 and lone surrogates. */
const asStored = (one: string): string => one.replaceAll('\0', ' ').toWellFormed()
const text = fc.string({ unit: anyCharacter }).map(asStored)

function columnOf(field: Field): fc.Arbitrary<string | number> {
  const nothing = fc.constant('')
  switch (field.kind) {
    case 'flag':
      return fc.constantFrom(0, 1)
    case 'number':
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.maxSafeInteger(),
        fc.integer().map((n) => n / 100),
      )
    case 'json':
      return fc.oneof(
        fc.json({ stringUnit: text }).map((json) => JSON.stringify(JSON.parse(json))),
        fc.dictionary(inheritedName, fc.oneof(text, fc.integer())).map((json) => JSON.stringify(json)),
        nothing,
      )
    case 'labels':
      return fc.oneof(
        fc.array(text).map((tags) => JSON.stringify(tags)),
        nothing,
      )
    case 'relation':
      return field.many === true
        ? fc.oneof(
            fc.array(text).map((ids) => JSON.stringify(ids)),
            nothing,
          )
        : text
    default:
      return fc.oneof(text, nothing)
  }
}

const rowOf = ({ fields }: Collection): fc.Arbitrary<Row> =>
  fc.record({ id: fc.string({ minLength: 1 }).map(asStored), ...Object.fromEntries(fields.map((field) => [field.name, columnOf(field)])) })

const tables = collections.all.filter(({ storage }) => storage === 'table')

for (const kind of databases) {
  test(`${kind.name}: rowJson returns the same JSON as the presented records, or undefined`, { timeout: 300_000 }, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const { dialect } = database
    for (const collection of tables) {
      const names = ['*', 'id', 'collectionId', 'collectionName', 'nothing', ...collection.fields.map(({ name }) => name)]
      const asked = fc.subarray(names).map((fields) => fields.join(','))
      await fc.assert(
        fc.asyncProperty(rowOf(collection), asked, async (row, fields) => {
          const item = rowJson(collection, admin, fields, dialect)
          if (item === undefined) return
          const table = sql.table(collection.name)
          const [written, stored] = await database.write(async ({ sql: db }) => {
            await sql`delete from ${table}`.execute(db)
            const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)))
            await sql`insert into ${table} (${columns}) values (${sql.join(Object.values(row))})`.execute(db)
            const page = sql`(select ${item} as item from ${table} as r order by r.seq limit 100) as page`
            return [
              await sql<{ items: string | Uint8Array }>`select ${dialect.joined(sql`page.item`)} as items from ${page}`.execute(db),
              await sql<Row>`select * from ${table}`.execute(db),
            ] as const
          })
          const [shown] = stored.rows.map((one) =>
            fieldPicker(fields)(presentRecord(collection, toRecord(collection, one, secrets), admin)),
          )
          const sent: unknown = JSON.parse(Buffer.from(written.rows[0]?.items ?? '').toString())
          assert.deepEqual(sent, JSON.parse(JSON.stringify(shown)))
        }),
        { numRuns: 25 },
      )
    }
  })
}

test('rowJson returns undefined if the JSON depends on more than the row', async () => {
  const [kind] = databases
  assert.ok(kind)
  await using opened = await kind.open()
  const { dialect } = opened.database
  const written = (name: string, actor: Actor, fields = ''): boolean => {
    const collection = collections.find(name)
    assert.ok(collection)
    return rowJson(collection, actor, fields, dialect) !== undefined
  }
  assert.equal(written('users', { id: 'u', role: 'user' }), false)
  assert.equal(written('fingerprints', admin), false)
  assert.equal(written('systems', admin, 'info.u'), false)
  assert.equal(written('systems', admin, 'name:excerpt(3)'), false)
  assert.equal(written('systems', admin, 'name, info'), true)
})
