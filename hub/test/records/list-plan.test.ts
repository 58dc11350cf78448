import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { test } from 'node:test'
import { databases } from '../databases.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

test('PostgreSQL reads rows of the table of systems as they are stored, without filling in columns', async () => {
  await using opened = await postgres.open()
  const { rows } = await sql<{ attname: string }>`select attname from pg_attribute
    where attrelid = 'systems'::regclass and attnum > 0 and (atthasmissing or attisdropped)`.execute(opened.database.kysely)
  assert.deepEqual(rows, [])
})
