import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { silentLog } from '../../databases.ts'
import { idOf, RECORDS, startedHub, startedIn } from '../../started-hub.ts'
import { rowsOfSystem } from './foreign-history.ts'
import { foreignHubWith, importScene } from './import-scene.ts'

const HOUR_MS = 3_600_000

type List = { readonly totalItems: number; readonly items: readonly { readonly created: string; readonly stats: object }[] }

test('the records API answers the rows of another hub after their import', async () => {
  await using first = await startedHub()
  const session = (await first.signIn()).body
  const made = await first.call(String(session['token']), 'POST', RECORDS, {
    name: 'old',
    host: '127.0.0.1',
    port: '1',
    users: [idOf(session)],
  })
  const system = String(made.body['id'])
  await first.stop()
  const now = Date.now()
  const history = { systems: [system], containers: 2, untilMs: now }
  using foreign = foreignHubWith(history)
  const bus = inProcessEventBus()
  const at = { directory: first.data }
  const database = await openDatabase({ at, bus, log: silentLog })
  await importScene({ database, bus }, now).take(foreign, [system])
  await database.close()
  await using hub = await startedIn(first.data)
  const token = String((await hub.signIn()).body['token'])
  const list = async (collection: string, filter: string): Promise<List> => {
    const search = new URLSearchParams({ filter: `system='${system}' && ${filter}`, perPage: '500', sort: 'created' })
    const { status, body } = await hub.call(token, 'GET', `/api/collections/${collection}/records?${search.toString()}`)
    assert.equal(status, 200)
    return body as List // the contract
  }
  const rows = [...rowsOfSystem(history, 0)]
  const endsInBlocks = Math.floor((now - 3 * 60_000) / HOUR_MS) * HOUR_MS
  for (const [collection, type] of [
    ['system_stats', '10m'],
    ['container_stats', '10m'],
    ['system_stats', '1m'],
    ['container_stats', '1m'],
  ] as const) {
    const { items } = await list(collection, `type='${type}'`)
    const byDate = new Map(items.map(({ created, stats }) => [created, stats]))
    const theirs = rows.filter((row) => row.table === collection && row.type === type && row.endMs > now - 11 * HOUR_MS)
    const comparable =
      type === '10m' ? theirs.filter(({ endMs }) => endMs <= endsInBlocks) : theirs.filter(({ createdMs }) => createdMs > now - HOUR_MS / 2)
    assert.ok(comparable.length > 10)
    for (const { endMs, createdMs, stats } of comparable) {
      const created = new Date(type === '1m' ? createdMs : endMs).toISOString().replace('T', ' ')
      assert.partialDeepStrictEqual(byDate.get(created), stats, `${collection} ${type} ${created}`)
    }
  }
  const month = await list('system_stats', `type='480m' && created>='${new Date(now - 29 * 24 * HOUR_MS).toISOString().replace('T', ' ')}'`)
  assert.ok(month.totalItems > 80, `${month.totalItems} averages of 8 hours`)
})
