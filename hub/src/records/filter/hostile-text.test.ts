import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { databases } from '../../../test/databases.ts'
import { collections } from '../collections/collections.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { FilterError } from './parse.ts'
import { resolver } from './resolve.ts'
import { sortSql, toSql } from './to-sql.ts'

/** Text between two marks, so that a test can find any part of it in a statement. */
const hostile = fc
  .tuple(fc.constantFrom(`'`, `"`, '`', `\\`, ';', '--', `')`, '$1', '?', ']', '}', '%', '_'), fc.string({ maxLength: 8 }))
  .map((parts) => `MARK${parts.join('')}MARK`)
const filters = fc.oneof(
  hostile.map((text) => `name = ${JSON.stringify(text)}`),
  hostile.map((text) => `name ~ ${JSON.stringify(text)} || host !~ '${text.replaceAll(/['\\]/g, '')}'`),
  hostile.map((text) => `${JSON.stringify(text)} ?= users.id && users.name ?~ ${JSON.stringify(text)}`),
  hostile.map((text) => `info.${text.replaceAll(/[^\w.]/g, '')} = ${JSON.stringify(text)}`),
  fc.tuple(inheritedName, hostile).map(([name, text]) => `info.${name} = ${JSON.stringify(text)} || ${name} = 1`),
  hostile.map((text) => `alerts_via_system.name = ${JSON.stringify(text)}`),
  hostile,
)

const facts = { actor: { id: 'u1' }, context: 'default', method: 'GET', query: {}, headers: {} } as const

for (const kind of databases) {
  test(`${kind.name}: toSql and sortSql pass a client's text as parameters only`, async () => {
    await using opened = await kind.open()
    const { kysely, dialect } = opened.database
    const systems = collections.find('systems')
    assert.ok(systems)
    const secrets = secretBox(randomBytes(32))
    let read = 0
    fc.assert(
      fc.property(filters, hostile, (filter, name) => {
        const resolving = resolver(systems, { collections, facts, nowMs: 0 })
        try {
          const { where } = toSql(resolving.plan(resolving.condition(filter, 'own')), dialect, secrets)
          const question = sql`select 1 from systems as r where ${where}`.compile(kysely)
          assert.ok(!/MARK/i.test(question.sql), question.sql)
          read += 1
          const term = resolving.term(`info.${name}`, 'own')
          for (const part of sortSql(resolving.plan({ kind: 'and', parts: [] }), term, dialect) ?? [])
            assert.ok(!/MARK/i.test(sql`${part}`.compile(kysely).sql))
        } catch (error) {
          assert.ok(error instanceof FilterError, String(error))
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(read > 200)
  })
}
