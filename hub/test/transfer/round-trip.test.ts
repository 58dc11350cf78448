import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { compiledSources } from '../compiled-sources.ts'
import { foreignFolder, type Dump } from './source/foreign-folder.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')
const vedette = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], { env: { NODE_NO_WARNINGS: '1', ...compiledSources } })

/** Tables with what people and agents have. Rows of the history depend on the present time. */
const tables = [
  'users',
  'systems',
  'fingerprints',
  'universal_tokens',
  'user_settings',
  'alerts',
  'alerts_history',
  'quiet_hours',
  'system_details',
  'containers',
  'systemd_services',
  'smart_devices',
]

/** Returns all rows of a database of another hub by table. JSON texts are parsed, and a missing table is empty. */
function rowsOf(path: string): Readonly<Record<string, unknown>> {
  using database = new DatabaseSync(path, { readOnly: true })
  const exists = database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
  // Its hub writes some dates in another form, with more digits.
  const goDate = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3})\d* \+0000 UTC$/
  const plain = (value: unknown): unknown =>
    typeof value !== 'string' ? value : /^[[{]/.test(value) ? JSON.parse(value) : value.replace(goDate, '$1Z')
  return Object.fromEntries(
    tables.map((table) => {
      const rows = exists.get(table) === undefined ? [] : database.prepare(`select * from ${table} order by id`).all()
      return [table, rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))]
    }),
  )
}

const countOf = (rows: unknown): number => (Array.isArray(rows) ? rows.length : 0)

// Each generation takes five runs of the program.
const generations: readonly Dump[] = process.env['VEDETTE_LONG'] === '1' ? ['0.9.1', '0.12.12', '0.18.8-head'] : []

for (const generation of generations)
  test(`data of ${generation} come back equal from an import and an export, twice`, { timeout: 300_000 }, async () => {
    using theirs = foreignFolder(generation)
    const place = (name: string): string => join(theirs.parent, name)
    await vedette('import', theirs.path, '--data', place('first'))
    await vedette('export', 'beszel', place('back'), '--data', place('first'))
    const [before, back] = [rowsOf(theirs.database), rowsOf(join(place('back'), 'data.db'))]
    // Older versions lack some tables and columns.
    if (generation === '0.18.8-head') assert.deepEqual(back, before)
    else assert.deepEqual([back['users'], back['systems']].map(countOf), [before['users'], before['systems']].map(countOf))
    await vedette('import', place('back'), '--data', place('second'), '--accept-old')
    await vedette('export', 'beszel', place('again'), '--data', place('second'))
    assert.deepEqual(rowsOf(join(place('again'), 'data.db')), back)
  })
