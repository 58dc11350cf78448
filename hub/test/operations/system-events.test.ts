import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContainerEvent } from '@vedette/protocol/metrics/sample'
import {
  deleteEventsBefore,
  loadEvents,
  MOST_KEPT,
  noteChanges,
  noteContainerEvents,
  noteHubLife,
} from '../../src/operations/system-events/system-events.ts'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'
import { itemsOf, runningHub } from '../running-hub.ts'

const up = { status: 'up', info: {} }
const down = { status: 'down', info: { why: 'Nothing listens' } }

for (const kind of databases) {
  test(`${kind.name}: events of a window are returned oldest first, with the last state before the window`, async () => {
    await using place = await kind.open()
    const { database } = place
    const note = (system: string, atMs: number, isUp: boolean) =>
      database.write((unit) => noteChanges(unit, [{ system, previous: isUp ? down : up, next: isUp ? up : down }], atMs))
    const told = async (system: string, fromMs: number, toMs: number) =>
      (await loadEvents(database.kysely, system, { fromMs, toMs })).map(({ at, kind, text }) => [at, kind, ...(text === '' ? [] : [text])])
    await note('a', 100, true)
    await note('a', 200, false)
    await note('b', 250, false)
    const life = await noteHubLife({ database, clock: { now: () => 300 }, keptFromMs: 0 })
    await note('a', 400, true)
    assert.deepEqual(await told('a', 150, 400), [
      [100, 'up'],
      [200, 'down', 'Nothing listens'],
      [300, 'hub-started'],
    ])
    assert.deepEqual(await told('a', 300, 401), [
      [200, 'down', 'Nothing listens'],
      [300, 'hub-started'],
      [400, 'up'],
    ])
    assert.deepEqual(await told('c', 0, 300), [])
    await life[Symbol.asyncDispose]()
    assert.deepEqual(await told('c', 0, 301), [
      [300, 'hub-started'],
      [300, 'hub-stopped'],
    ])
    await database.write((unit) => deleteEventsBefore(unit, 250))
    assert.deepEqual(await told('a', 0, 1_000).then((rows) => rows.map(([, kind]) => kind)), ['hub-started', 'hub-stopped', 'up'])
  })

  test(`${kind.name}: only the newest events of a flapping system are kept, and events of other systems are not affected`, async () => {
    await using place = await kind.open()
    const { database } = place
    await database.write(async (unit) => {
      await noteChanges(unit, [{ system: 'b', previous: up, next: down }], 1)
      for (let at = 1; at <= MOST_KEPT + 10; at++)
        await noteChanges(unit, [{ system: 'a', previous: at % 2 ? up : down, next: at % 2 ? down : up }], at)
    })
    const kept = await loadEvents(database.kysely, 'a', { fromMs: 0, toMs: MOST_KEPT * 2 })
    assert.deepEqual([kept.length, kept[0]?.at, kept.at(-1)?.at], [MOST_KEPT, 11, MOST_KEPT + 10])
    assert.equal((await loadEvents(database.kysely, 'b', { fromMs: 0, toMs: 2 })).length, 1)
  })

  test(`${kind.name}: a container event that an agent repeats in many samples is stored once`, async () => {
    await using place = await kind.open()
    const { database } = place
    const takenAtMs = 10_000_000
    const send = (containerEvents: readonly ContainerEvent[], laterMs = 0) =>
      database.write((unit) =>
        noteContainerEvents(unit, {
          system: 'a',
          sample: { takenAtMs: takenAtMs + laterMs, containerEvents },
          receivedAtMs: takenAtMs + laterMs + 20,
        }),
      )
    const told = async () =>
      (await loadEvents(database.kysely, 'a', { fromMs: 0, toMs: takenAtMs * 2 })).map(({ at, text: _text, ...event }) => [at, event])
    const killed = { atMs: takenAtMs - 5000, container: 'web', exitCode: 137, outOfMemory: true }
    const survived = { atMs: takenAtMs - 4000, container: 'db', outOfMemory: true }
    const ended = { atMs: takenAtMs - 3000.5, container: 'web', exitCode: 4_294_967_295, outOfMemory: false }
    await send([killed])
    await send([killed, survived], 60_000)
    await send([killed, survived, ended], 120_000)
    await send([killed, survived, ended], 180_000)
    const expected = [
      [killed.atMs, { kind: 'container-out-of-memory', container: 'web', exitCode: 137 }],
      [survived.atMs, { kind: 'container-out-of-memory', container: 'db' }],
      [takenAtMs - 3001, { kind: 'container-exited', container: 'web', exitCode: 4_294_967_295 }],
    ]
    assert.deepEqual(await told(), expected)
    // Times of another day or in the future.
    await send([
      { ...ended, atMs: takenAtMs - 90_000_000 },
      { ...ended, atMs: takenAtMs + 200_000 },
    ])
    assert.deepEqual(await told(), expected)
  })

  test(`${kind.name}: container events of an agent with a wrong or unknown clock are not stored`, async () => {
    await using place = await kind.open()
    const { database } = place
    const receivedAtMs = 10_000_000
    for (const takenAtMs of [undefined, receivedAtMs - 120_001, receivedAtMs + 120_001]) {
      const containerEvents = [{ atMs: (takenAtMs ?? receivedAtMs) - 1, container: 'web', outOfMemory: true }]
      const sample = takenAtMs === undefined ? { containerEvents } : { takenAtMs, containerEvents }
      await database.write((unit) => noteContainerEvents(unit, { system: 'a', sample, receivedAtMs }))
    }
    assert.deepEqual(await loadEvents(database.kysely, 'a', { fromMs: 0, toMs: receivedAtMs * 2 }), [])
  })

  test(`${kind.name}: a container that exits repeatedly keeps its newest events, and does not displace events of its system`, async () => {
    await using place = await kind.open()
    const { database } = place
    const takenAtMs = 10_000_000
    const containerEvents = Array.from({ length: MOST_KEPT + 10 }, (_, at) => ({
      atMs: takenAtMs - MOST_KEPT - 10 + at,
      container: 'web',
      exitCode: 1,
      outOfMemory: false,
    }))
    await database.write(async (unit) => {
      await noteChanges(unit, [{ system: 'a', previous: up, next: down }], 1)
      await noteContainerEvents(unit, { system: 'a', sample: { takenAtMs, containerEvents }, receivedAtMs: takenAtMs })
      await noteChanges(unit, [{ system: 'a', previous: down, next: up }], takenAtMs)
    })
    const kept = await loadEvents(database.kysely, 'a', { fromMs: 0, toMs: takenAtMs * 2 })
    assert.deepEqual([kept.length, kept[0]?.kind, kept[1]?.at, kept.at(-1)?.kind], [MOST_KEPT + 2, 'down', takenAtMs - MOST_KEPT, 'up'])
  })

  test(`${kind.name}: a status change that is rolled back stores no event`, async () => {
    await using place = await kind.open()
    const { database } = place
    await assert.rejects(
      database.write(async (unit) => {
        await noteChanges(unit, [{ system: 'a', previous: up, next: down }], 1)
        throw new Error('killed half-way')
      }),
      /half-way/,
    )
    assert.deepEqual(await loadEvents(database.kysely, 'a', { fromMs: 0, toMs: 9 }), [])
  })

  test(`${kind.name}: actions of users on a system are events for users with access, and are deleted with the system`, async () => {
    await using hub = await runningHub(kind)
    const { token, id } = hub.admin
    const { body } = await hub.call(token, 'POST /api/collections/systems/records', {
      name: 'web',
      host: '127.0.0.1',
      port: '1',
      users: id,
    })
    const system = String(body['id'])
    const path = `/api/collections/systems/records/${system}`
    await hub.call(token, `PATCH ${path}`, { status: 'paused' })
    await hub.call(token, `PATCH ${path}`, { status: 'pending' })
    const events = await hub.until(token, `GET /api/systems/${system}/events`, (answer) =>
      itemsOf(answer).some((event) => event['kind'] === 'down'),
    )
    const kinds = itemsOf(events).map((event) => event['kind'])
    assert.deepEqual(
      kinds.filter((one) => one !== 'down'),
      ['hub-started', 'paused', 'resumed'],
    )
    const reason = itemsOf(events).find((event) => event['kind'] === 'down')?.['text']
    assert.match(String(reason), /\w/)
    await hub.call(token, `DELETE ${path}`)
    assert.equal((await hub.call(token, `GET /api/systems/${system}/events`)).status, 404)
  })

  test(`${kind.name}: an invalid window is refused with an error for its field`, async () => {
    await using hub = await recordedHub(kind)
    const headers = { authorization: await hub.tokenOf('alice') }
    for (const [query, field] of [
      ['from=x', 'from'],
      ['to=-1', 'to'],
      ['from=5&to=5', 'from'],
    ] as const) {
      const answer = await hub.app.request(`/api/systems/sys000000000005/events?${query}`, { headers })
      const { data } = (await answer.json()) as { readonly data: object } // errors by field
      assert.deepEqual([answer.status, Object.keys(data)], [400, [field]])
    }
  })
}
