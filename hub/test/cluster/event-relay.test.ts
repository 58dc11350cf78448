import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { SampleEvent } from '../../src/history/read/stats-records.ts'
import { relayEvents } from '../../src/platform/cluster/event-relay.ts'
import { parseNatsAddress } from '../../src/platform/cluster/nats-address.ts'
import { openNatsMessages } from '../../src/platform/cluster/nats-messages.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { inProcessEventBus, type ChangedRecord, type RecordEvent } from '../../src/platform/events/event-bus.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { eventCodec, reachOf } from '../../src/startup/hubs/relay-events.ts'
import { collectedLog } from '../collected-log.ts'
import { silentLog } from '../databases.ts'
import { startNatsServer, withNats } from '../nats-server.ts'

const key = randomBytes(32)

/** A hub's bus and relay. `stored` has the records of its database. */
async function openHub(stack: AsyncDisposableStack, url: string, hub: string, secretKey = key) {
  const messages = await openNatsMessages({
    address: parseNatsAddress(url),
    database: 'db',
    hub,
    name: hub,
    log: silentLog,
    clock: systemClock,
  })
  stack.defer(messages.close)
  const bus = inProcessEventBus()
  const { log, lines } = collectedLog()
  const stored = new Map<string, ChangedRecord>()
  const relay = stack.use(
    relayEvents({
      messages,
      bus,
      hub,
      reachOf,
      frequent: ['systems', 'system_stats'],
      stored: ['systems'],
      codec: eventCodec(secretBox(secretKey), hub),
      records: {
        versions: async () => [...stored.values()].map(({ id, updated }) => ({ id, updated: String(updated) })),
        loadMany: async (_, ids) => ids.flatMap((id) => stored.get(id) ?? []),
      },
      log,
    }),
  )
  const seen: RecordEvent[] = []
  const waiting = new Set<() => void>()
  bus.subscribe('all', (event) => {
    seen.push(event)
    for (const check of waiting) check()
  })
  const until = (fits: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!fits()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return {
    bus,
    messages,
    lines,
    relay,
    stored,
    seen,
    until,
    received: (count: number) => until(() => seen.filter((event) => event.hub !== undefined).length >= count),
  }
}

const user = (name: string, updated: string): RecordEvent => ({
  action: 'update',
  collection: 'users',
  record: { id: 'u', name, updated, tokenKey: 'secret' },
})
const system = (load: number, status: string, updated: string): ChangedRecord => ({ id: 's', status, info: { load }, updated })

/** Resolves when the hubs have subscribed to each other and know each other's watched collections. */
async function acquainted(...hubs: Awaited<ReturnType<typeof openHub>>[]): Promise<void> {
  for (const { relay } of hubs) while (!relay.isWatchedElsewhere('systems')) await new Promise((resolve) => setImmediate(resolve))
}

test('relayEvents: an event arrives at the other hub once, with its hub’s id, and is not sent back', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b')]
  for (const { bus } of [a, b])
    bus.subscribe(
      ['systems'],
      () => {},
      (name) => name === 'systems',
    )
  await acquainted(a, b)
  a.bus.publish(user('one', '1'))
  await b.received(1)
  b.bus.publish({ ...user('two', '2'), previous: { id: 'u', name: 'one' } })
  await a.received(1)
  assert.deepEqual(b.seen[0], { ...user('one', '1'), hub: 'a' })
  assert.deepEqual(a.seen[1], { ...user('two', '2'), previous: { id: 'u', name: 'one' }, hub: 'b' })
  assert.deepEqual([a.seen.length, b.seen.length], [2, 2])
})

test('relayEvents: samples are sent to hubs whose users watch them, changes of a status to all hubs', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b, c] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b'), await openHub(stack, nats.url, 'c')]
  b.bus.subscribe(
    ['systems', 'system_stats'],
    () => {},
    (name) => ['systems', 'system_stats'].includes(name),
  )
  await acquainted(a, c)
  const points = { things: ['cpu', 'cpu', 'memory'], fields: ['busyPercent', 'userPercent', 'usedBytes'], values: [1.5, 0, 2 ** 40] }
  a.bus.publish(new SampleEvent('system', { system: 's', atMs: 5, points }))
  a.bus.publish({ action: 'update', collection: 'systems', record: system(2, 'up', '2'), previous: system(1, 'up', '1') })
  a.bus.publish({ action: 'update', collection: 'systems', record: system(2, 'down', '3'), previous: system(2, 'up', '2') })
  // Every hub computes roll-ups itself.
  a.bus.publish({ action: 'create', collection: 'system_stats', record: { id: 'r', type: '10m' } })
  a.bus.publish(user('last', '1'))
  await Promise.all([
    b.until(() => b.seen.some(({ collection }) => collection === 'users')),
    c.until(() => c.seen.some(({ collection }) => collection === 'users')),
  ])
  assert.deepEqual(
    b.seen.map(({ collection, hub }) => [collection, hub]),
    [
      ['system_stats', 'a'],
      ['systems', 'a'],
      ['systems', 'a'],
      ['users', 'a'],
    ],
  )
  assert.deepEqual(b.seen[0]?.sample, { system: 's', atMs: 5, points })
  assert.deepEqual(b.seen[0]?.record, a.seen[0]?.record)
  assert.deepEqual(
    c.seen.map(({ record }) => record['status'] ?? record['name']),
    ['down', 'last'],
  )
})

test('relayEvents: an event that may be outdated is replaced by the stored record', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b')]
  for (const { bus } of [a, b])
    bus.subscribe(
      ['systems'],
      () => {},
      (name) => name === 'systems',
    )
  await acquainted(a, b)
  b.stored.set('u', { id: 'u', name: 'stored', updated: '5' })
  b.bus.publish(user('newest', '9'))
  a.bus.publish(user('old', '4'))
  await b.received(1)
  assert.deepEqual(
    b.seen.map(({ record }) => record['name']),
    ['newest', 'stored'],
  )
  a.bus.publish(user('next', '6'))
  await b.received(2)
  assert.equal(b.seen.at(-1)?.record['name'], 'next', 'a clock that is ahead delays nothing')
  b.bus.publish({ action: 'delete', collection: 'users', record: { id: 'u' } })
  b.stored.delete('u')
  a.bus.publish(user('ghost', '99'))
  a.bus.publish({ ...user('other', '1'), record: { id: 'v', name: 'other' } })
  await b.until(() => b.seen.at(-1)?.record['name'] === 'other')
  assert.ok(!b.seen.some(({ record }) => record['name'] === 'ghost'))
})

test('relayEvents: a process without the secret key can neither read nor forge an event', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b, stranger] = [
    await openHub(stack, nats.url, 'a'),
    await openHub(stack, nats.url, 'b'),
    await openHub(stack, nats.url, 'c', randomBytes(32)),
  ]
  for (const { bus } of [a, b])
    bus.subscribe(
      ['systems'],
      () => {},
      (name) => name === 'systems',
    )
  await acquainted(a, b, stranger)
  stranger.bus.publish(user('forged', '1'))
  a.bus.publish(user('true', '1'))
  await b.received(1)
  assert.equal(b.seen[0]?.record['name'], 'true')
  assert.equal(stranger.seen.length, 1)
  assert.doesNotMatch(JSON.stringify(eventCodec(secretBox(key), 'a').encode(user('a', '1'))), /tokenKey|secret/)
})

test(
  'relayEvents: without NATS the watched collections are read from the database, and once more when NATS is back',
  withNats,
  async () => {
    await using stack = new AsyncDisposableStack()
    const nats = stack.use(await startNatsServer())
    const b = await openHub(stack, nats.url, 'b')
    b.bus.subscribe(
      ['systems'],
      () => {},
      (name) => name === 'systems',
    )
    b.stored.set('s', system(1, 'up', '1'))
    await nats.stop()
    await b.received(1)
    assert.deepEqual(
      b.seen.map(({ collection, action, record }) => [collection, action, record['updated']]),
      [['systems', 'update', '1']],
    )
    b.stored.set('s', system(2, 'up', '2'))
    await nats.start()
    await b.received(2)
    assert.equal(b.seen.at(-1)?.record['updated'], '2')
  },
)

test('relayEvents: unknown fields of a newer hub are ignored, and unknown events are dropped with one log line', withNats, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const [a, b] = [await openHub(stack, nats.url, 'a'), await openHub(stack, nats.url, 'b')]
  for (const { bus } of [a, b])
    bus.subscribe(
      ['systems'],
      () => {},
      (name) => name === 'systems',
    )
  await acquainted(a, b)
  const send = (event: object, collection = 'users'): void =>
    a.messages.publish(`events.${collection}.u`, secretBox(key).seal(`hubs.event.${collection}`, JSON.stringify({ hub: 'a', ...event })))
  send({ action: 'merge', record: { id: 'u' } })
  send({ action: 'merge', record: { id: 'u' } })
  a.messages.publish('events.users.u', { sample: { kind: 'gpus' } })
  send({ action: 'update', record: { id: 'u', name: 'one', zone: 'new' }, reason: ['new'] })
  send({ action: 'create', record: { id: 'z', size: 1 } }, 'zones')
  await b.received(2)
  assert.deepEqual(b.seen, [
    { collection: 'users', hub: 'a', action: 'update', record: { id: 'u', name: 'one', zone: 'new' } },
    { collection: 'zones', hub: 'a', action: 'create', record: { id: 'z', size: 1 } },
  ])
  assert.deepEqual(b.lines, ['events of another hub ignored: this version cannot read them'])
})
