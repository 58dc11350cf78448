import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../src/platform/db/database.ts'
import { thisProgram } from '../../src/platform/db/migrations/all-migrations.ts'
import { loadSchema } from '../../src/platform/db/schema-support.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { rowsOf } from '../postgres-template.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = join(import.meta.dirname, '..', 'fixtures')
const known = thisProgram.migrations.length

type Fixture = { readonly schema: number; readonly kind: string; readonly path: string }
const fixtures: readonly Fixture[] = readdirSync(folder).flatMap((name) => {
  const [, schema, kind] = /^database-(\d+)\.(sqlite|postgres)\.gz$/.exec(name) ?? []
  return schema === undefined || kind === undefined ? [] : [{ schema: Number(schema), kind, path: join(folder, name) }]
})

type Row = Readonly<Record<string, unknown>>
/** All rows of the tables of a database, by the name of the table. */
type Rows = ReadonlyMap<string, readonly Row[]>

async function readRows({ name, kysely }: Database): Promise<Rows> {
  const tables =
    name === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema() order by tablename`
  const rows = new Map<string, readonly Row[]>()
  for (const { name: table } of (await tables.execute(kysely)).rows)
    rows.set(table, (await sql<Row>`select * from ${sql.table(table)}`.execute(kysely)).rows)
  return rows
}

/** Rows that an upgrade changes on purpose. */
const isOfUpgrade = (table: string, row: Row): boolean =>
  table === 'hub_state' && ['schemaVersion', 'schemaSupport'].includes(z.string().parse(row['name']))

/** Columns that a migration dropped or fills anew, such as `history_open.more`, each with its reason. */
const changed: ReadonlySet<string> = new Set([])

/** Returns the rows of the first database that the second one does not have. Columns that the second one added do not count. */
function lostRows(before: Rows, after: Rows): readonly string[] {
  return [...before].flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).filter((column) => !changed.has(`${table}.${column}`))
    const textOf = (row: Row): string => JSON.stringify(columns.map((column) => row[column]))
    const found = new Set((after.get(table) ?? []).map(textOf))
    return rows.filter((row) => !isOfUpgrade(table, row) && !found.has(textOf(row))).map((row) => `${table}: ${textOf(row).slice(0, 200)}`)
  })
}

for (const { schema, kind, path } of fixtures)
  test(`the ${kind} database of schema ${schema} is upgraded to ${known} without loss`, async () => {
    const target = databases.find(({ name }) => name === kind)
    assert.ok(target)
    await using place = await target.place()
    const content = gunzipSync(readFileSync(path))
    const { at } = place
    if ('url' in at) await rowsOf(at.url, content.toString('utf8'))
    else writeFileSync(join(at.directory, 'vedette.sqlite'), content)
    const options = { at, bus: inProcessEventBus(), log: silentLog }
    const read = async (keepsSchema: boolean) => {
      const database = await openDatabase({ ...options, keepsSchema })
      try {
        return { schema: (await loadSchema(database.kysely, database.name)).schema, rows: await readRows(database) }
      } finally {
        await database.close()
      }
    }
    const before = await read(true)
    const after = await read(false)
    assert.deepEqual([before.schema, after.schema], [schema, known])
    assert.ok((before.rows.get('systems')?.length ?? 0) >= 2 && (before.rows.get('users')?.length ?? 0) >= 2)
    assert.deepEqual(lostRows(before.rows, after.rows), [])
  })

/** Returns the fixtures that a released schema needs and that are missing. A version with a date in the change log is released. */
function missingFixtures(changeLog: string, schema: number, present: readonly Fixture[]): readonly string[] {
  const [, title = ''] = /^## (.*)$/m.exec(changeLog) ?? []
  if (!/^\d+\.\d+\.\d+, \d{4}-\d{2}-\d{2}$/.test(title)) return []
  return ['sqlite', 'postgres'].filter((kind) => !present.some((one) => one.schema === schema && one.kind === kind))
}

test('a release has a fixture of its schema for each database', () => {
  assert.deepEqual(missingFixtures('# Changelog\n\n## 0.2.0, 2026-12-01\n', 24, [{ schema: 24, kind: 'sqlite', path: '' }]), ['postgres'])
  assert.deepEqual(missingFixtures('# Changelog\n\n## 0.2.0, unreleased\n', 24, []), [])
  const missing = missingFixtures(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), known, fixtures)
  assert.deepEqual(missing, [], 'write them with: node hub/test/fixtures/write-database.ts')
})
