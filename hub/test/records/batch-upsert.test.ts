import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBatch } from '../../src/records/writing/batch.ts'
import type { Engine } from '../../src/records/engine/engine.ts'
import { RecordError } from '../../src/records/model/record-error.ts'
import { databases } from '../databases.ts'
import { engineOn } from '../test-engine.ts'

const URL = '/api/collections/users/records'
const ID = 'usranna00000001'

for (const kind of databases) {
  test(`${kind.name}: an upsert hashes its password once, before the transaction`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    let writing = 0
    const hashed: string[] = []
    const engine: Engine = {
      ...engineOn(database),
      database: {
        ...database,
        write: (work, durability) =>
          database.write(async (unit) => {
            writing++
            return work(unit).finally(() => void writing--)
          }, durability),
      },
      hashPassword: async (password) => {
        assert.equal(writing, 0, 'no transaction waits for a hash')
        hashed.push(password)
        return `hash of ${password}`
      },
    }
    const boss = { email: 'boss@example.com', username: 'boss', role: 'admin', verified: true, password: 'none' }
    const actor = await database.write((unit) => engine.store.insert(unit, 'users', boss))
    const facts = { actor, context: 'default', method: 'POST', query: {}, headers: {} } as const
    const put = (password: string) => ({
      method: 'PUT',
      url: URL,
      body: { id: ID, email: 'anna@example.com', role: 'user', password, passwordConfirm: password },
    })
    for (const password of ['correct-horse-1', 'correct-horse-2']) {
      const [answer] = await runBatch(engine, facts, [put(password)])
      assert.equal(answer?.status, 200)
      assert.equal((await engine.store.load('users', ID))?.['password'], `hash of ${password}`)
    }
    assert.deepEqual(hashed, ['correct-horse-1', 'correct-horse-2'])
  })

  test(`${kind.name}: names of inherited properties are refused as methods of a batch`, async () => {
    await using opened = await kind.open()
    const engine = engineOn(opened.database)
    const facts = { actor: undefined, context: 'default', method: 'POST', query: {}, headers: {} } as const
    for (const method of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'post', 'GET'])
      await assert.rejects(
        runBatch(engine, facts, [{ method, url: URL, body: {} }]),
        (error) => error instanceof RecordError && error.status === 400,
      )
  })
}
