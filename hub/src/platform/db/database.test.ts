import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, silentLog } from '../../../test/databases.ts'
import type { RecordEvent } from '../events/event-bus.ts'
import { inProcessEventBus } from '../events/event-bus.ts'
import { DatabaseUnusableError } from './database.ts'
import { openDatabase } from './open-database.ts'

const event = (id: string): RecordEvent => ({ action: 'create', collection: 'systems', record: { id } })

for (const kind of databases) {
  test(`${kind.name}: write publishes its events in order after the commit`, async () => {
    await using opened = await kind.open()
    const seen: unknown[] = []
    opened.bus.subscribe('all', ({ record }) => seen.push(record.id))
    await opened.database.write(async ({ sql, emit }) => {
      emit(event('a'))
      await sql.insertInto('hub_state').values({ name: 'x', value: '1' }).execute()
      emit(event('b'))
      assert.deepEqual(seen, [])
    })
    assert.deepEqual(seen, ['a', 'b'])
    assert.deepEqual(await opened.database.kysely.selectFrom('hub_state').select('value').where('name', '=', 'x').execute(), [
      { value: '1' },
    ])
  })

  test(`${kind.name}: consecutive writes do not block the event loop`, async () => {
    await using opened = await kind.open()
    let turns = 0
    const count = (): void => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    for (let at = 0; at < 40; at += 1)
      await opened.database.write(({ sql }) => sql.updateTable('hub_state').set({ value: '' }).where('name', '=', 'none').execute())
    clearImmediate(counting)
    assert.ok(turns >= 8, `others had ${turns} turns`)
  })

  test(`${kind.name}: a write that throws stores no rows and publishes no events`, async () => {
    await using opened = await kind.open()
    await assert.rejects(
      opened.database.write(async ({ sql, emit }) => {
        emit(event('a'))
        await sql.insertInto('hub_state').values({ name: 'x', value: '1' }).execute()
        throw new Error('refused')
      }),
      /refused/,
    )
    assert.deepEqual(opened.events, [])
    assert.deepEqual(await opened.database.kysely.selectFrom('hub_state').selectAll().where('name', '=', 'x').execute(), [])
    await opened.database.write(async ({ sql }) => sql.insertInto('hub_state').values({ name: 'x', value: '2' }).execute(), 'process')
  })

  test(`${kind.name}: openDatabase keeps existing rows when called again, and refuses a newer schema`, async () => {
    await using opened = await kind.open()
    await opened.database.write(({ sql }) => sql.insertInto('hub_state').values({ name: 'x', value: '1' }).execute())
    const options = { at: opened.at, bus: inProcessEventBus(), log: silentLog }
    const again = await openDatabase(options)
    assert.equal((await again.kysely.selectFrom('hub_state').selectAll().execute()).length, 3)
    await again.write(({ sql }) => sql.updateTable('hub_state').set({ value: '99' }).where('name', '=', 'schemaVersion').execute())
    await again.close()
    await assert.rejects(openDatabase(options), (error) => error instanceof DatabaseUnusableError && /newer version/.test(error.message))
  })
}
