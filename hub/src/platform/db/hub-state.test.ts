import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { loadState, saveFields, saveState } from './hub-state.ts'

for (const kind of databases)
  test(`${kind.name}: saveFields replaces the given fields and keeps unknown fields of a newer hub`, async () => {
    await using opened = await kind.open()
    const { kysely } = opened.database
    const save = (fields: object): Promise<void> => opened.database.write((unit) => saveFields(unit.sql, 'x', fields))
    const stored = async (): Promise<unknown> => JSON.parse((await loadState(kysely, 'x')) ?? 'null')
    await save({ name: 'hub', mail: { port: 25 } })
    assert.deepEqual(await stored(), { name: 'hub', mail: { port: 25 } })
    const newer = '{"name":"hub","mail":{"port":25,"region":{"name":"eu"}},"rules":[1,2],"zones":["a"],"__proto__":{"x":1}}'
    await opened.database.write((unit) => saveState(unit.sql, 'x', newer))
    await save({ name: 'other', mail: { port: 587 }, rules: [] })
    const expected = '{"name":"other","mail":{"port":587,"region":{"name":"eu"}},"rules":[],"zones":["a"],"__proto__":{"x":1}}'
    assert.deepEqual(await stored(), JSON.parse(expected))
  })
