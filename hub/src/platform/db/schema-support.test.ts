import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Program } from './migrations/all-migrations.ts'
import { oldestFor, tooNew, tooOld, type StoredSchema } from './schema-support.ts'

const step = async (): Promise<void> => {}

/** A program with this number of migrations. */
const program = (version: string, known: number, contractions: Program['contractions'] = []): Program => ({
  version,
  migrations: Array.from({ length: known }, () => step),
  contractions,
})

const support = { writtenBy: '0.4.0', oldest: { schema: 21, version: '0.3.0' } }
const stored: StoredSchema = { schema: 22, support }

const goBack = 'go back to the backup from before the upgrade: "vedette backup list" names it, "vedette backup restore NAME" restores it'

const together =
  'Cannot use the database: it was written by a newer version, 0.4.0, and this is version 0.2.0; versions 0.3.0 to 0.4.0 may run together, so start one of them'

for (const [name, schema, one, isShared, expected] of [
  ['undefined for a database with the schema of the program', stored, program('0.4.0', 22), true, undefined],
  ['undefined for an older database', { schema: 0, support: undefined }, program('0.4.0', 22), true, undefined],
  ['undefined for a newer database that was only expanded', stored, program('0.3.0', 21), true, undefined],
  ['refuses a newer database after a contraction', stored, program('0.2.0', 20), true, together],
  [
    'refuses a newer database for a single hub',
    stored,
    program('0.3.0', 21),
    false,
    `Cannot use the database: it was written by a newer version, 0.4.0, and this is version 0.3.0; start version 0.4.0 or a later one, or ${goBack}`,
  ],
  [
    'refuses a newer database without stored support versions',
    { schema: 99, support: undefined },
    program('0.3.0', 21),
    true,
    `Cannot use the database: it was written by a newer version (schema 99) than this one, 0.3.0 (schema 21); start the newer version, or ${goBack}`,
  ],
  [
    'refuses a database of a newer build of the same version',
    stored,
    program('0.4.0', 20),
    true,
    `Cannot use the database: it was written by a newer version (schema 22) than this one, 0.4.0 (schema 20); start the newer version, or ${goBack}`,
  ],
] as const)
  test(`tooNew: ${name}`, () => assert.equal(tooNew(schema, one, isShared), expected))

test('tooOld is undefined for an equal or older program, and says to restart for one with more migrations', () => {
  assert.equal(tooOld(stored, program('0.3.0', 21)), undefined)
  assert.equal(tooOld(stored, program('0.4.0', 22)), undefined)
  assert.match(tooOld(stored, program('0.5.0', 23)) ?? '', /start this hub again, which upgrades them$/)
})

test('oldestFor returns the schema of the last contraction', () => {
  const contractions = [
    { migration: 18, schema: 18, version: '0.1.0' },
    { migration: 22, schema: 21, version: '0.3.0' },
  ]
  const { schema, version } = oldestFor(program('0.4.0', 23, contractions))
  assert.deepEqual({ schema, version }, { schema: 21, version: '0.3.0' })
})
