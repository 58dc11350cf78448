import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { historyStore } from '../../src/history/history-store.ts'
import type { SystemHistory } from '../../src/history/model/history.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { silentLog } from '../databases.ts'
import { engineOn } from '../test-engine.ts'

const fixtures = join(import.meta.dirname, '..', 'fixtures')
const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(fixtures, name)))

const kinds = ['system', 'containers'] as const
const tiers = ['1m', '10m', '2h'] as const
const tables = ['incidents', 'notices', 'alert_states', 'system_events'] as const
const EVER = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }

/**
 * The records, rows and history that the program that wrote the database read from it. Secrets are sealed with the key of
 * `engineOn`.
 */
type Expected = {
  readonly now: number
  readonly records: Readonly<Record<string, readonly Json[]>>
  readonly history: Readonly<Record<string, readonly Json[]>>
} & Readonly<Record<(typeof tables)[number], readonly Json[]>>

/**
 * A hub of schema version 15 wrote it. It has two rows in each collection, thirty hours of two systems in open samples and sealed
 * blocks of each tier, and an incident with its notice.
 */
test('a database of an earlier hub version opens without loss', async () => {
  const expected = JSON.parse(unpacked('database-15.json.gz').toString()) as Expected // as the writer left it
  const directory = mkdtempSync(join(tmpdir(), 'vedette-earlier-'))
  writeFileSync(join(directory, 'vedette.sqlite'), unpacked('database-15.sqlite.gz'))
  const bus = inProcessEventBus()
  const db = await openDatabase({ at: { directory }, bus, log: silentLog })
  try {
    const clock = { now: () => expected.now }
    const { store } = engineOn(db, clock)
    assert.ok(Object.keys(expected.records).length >= 16)
    for (const [name, records] of Object.entries(expected.records))
      assert.deepEqual(await store.loadWhere(name, {}), withAdded(name, records), name)
    for (const table of tables)
      assert.deepEqual((await db.kysely.selectFrom(table).selectAll().execute()).map(plain), withAdded(table, expected[table]), table)
    const history = historyStore({ db, clock, bus, log: silentLog })
    for (const kind of kinds)
      for (const tier of tiers)
        assert.deepEqual(
          (await history.read({ kind, tier, window: EVER })).map(asJson),
          expected.history[`${kind} ${tier}`],
          `${kind} ${tier}`,
        )
  } finally {
    await db.close()
    rmSync(directory, { recursive: true, force: true })
  }
})

/** Columns that later schemas added, by table, with the values of rows from before. */
const added: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['containers', { memoryLimit: 0, cpuLimit: 0, restarts: -1, composeProject: '', unknownFields: '' }],
  ['system_events', { container: null, exit_code: null }],
  ['alerts', { inherited: false, clear: 0, severity: '', warning: 0, warningMinutes: 0, firing: '' }],
  [
    'incidents',
    {
      cause: '',
      acknowledged: null,
      acknowledger: '',
      note: '',
      snoozed: null,
      remind: null,
      reminders: 0,
      severity: 'critical',
      unanswered: null,
      escalate: null,
      escalated: null,
    },
  ],
  ['alert_states', { severity: 'critical' }],
  ['users', { viewTags: [], changeTags: [], roleByClaim: false }],
  ['systems', { tags: [], tagSources: null, accessTags: [] }],
])

const withAdded = (table: string, rows: readonly Json[]): readonly Json[] =>
  rows.map((row) => ({ ...(row as JsonObject), ...added.get(table) })) // a row is an object

const plain = (row: object): Json => JSON.parse(JSON.stringify(row)) as Json

const numbers = (values: Float64Array): Json => Array.from(values, (value) => (Number.isNaN(value) ? null : value))

const asJson = ({ system, table: { times, series } }: SystemHistory): Json => ({
  system,
  times,
  series: series.map(({ key, average, extremes }) => ({
    key,
    average: numbers(average),
    ...(extremes && {
      extremes: { minimum: numbers(extremes.minimum), maximum: numbers(extremes.maximum), count: numbers(extremes.count) },
    }),
  })),
})
