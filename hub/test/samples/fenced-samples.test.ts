import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchAlerts } from '../../src/alerts/rules/alert-watch.ts'
import { leasedOwnership } from '../../src/fleet/ownership/leased-ownership.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { joinHubs } from '../../src/platform/cluster/membership.ts'
import { samplePipeline } from '../../src/samples/sample-pipeline.ts'
import { databases, silentLog } from '../databases.ts'
import { messagesInMemory } from '../messages-in-memory.ts'
import { machineSample } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

test('only samples of an older lease are dropped from a batch, and no sample is stored twice', async () => {
  await using opened = await postgres.open()
  await using stack = new AsyncDisposableStack()
  const { database, bus } = opened
  const clock = systemClock
  const engine = engineOn(database)
  const records = engine.store
  const insert = () => database.write((unit) => records.insert(unit, 'systems', { name: 'machine', status: 'up', users: [], info: {} }))
  const [moved, stays] = [(await insert()).id, (await insert()).id]
  const messages = messagesInMemory()
  messages.cut()

  async function hub(name: string) {
    const membership = stack.use(await joinHubs({ database, log: silentLog, clock: systemClock, name, shares: true }))
    const own = stack.use(await leasedOwnership({ database, membership, messages: messages.connect(), bus, log: silentLog }))
    const history = historyStore({ db: database, clock, bus, log: silentLog })
    const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: silentLog }), ({ close }) => close())
    const parts = { db: database, records, history, clock, bus, alerts, log: silentLog, fence: own.fence }
    return { own, history, samples: stack.use(samplePipeline(parts)) }
  }
  const a = await hub('a')
  const leases = new Map([moved, stays].map((system) => [system, a.own.epochOf(system)]))
  const b = await hub('b')
  const takenAtMs = clock.now() - 10_000
  const store = ({ samples }: typeof a, system: string, epoch: number | undefined, atMs = takenAtMs) =>
    samples.store({ system, sample: { ...machineSample, takenAtMs: atMs }, receivedAtMs: clock.now(), epoch })

  assert.equal((await store(a, moved, leases.get(moved))).kind, 'stored')
  await b.own.claim(moved)
  const outcomes = await Promise.all([
    store(a, moved, leases.get(moved), takenAtMs + 1000),
    store(a, stays, leases.get(stays), takenAtMs + 1000),
  ])
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['not owned', 'stored'],
  )
  const epoch = b.own.epochOf(moved)
  assert.equal((await store(b, moved, epoch)).kind, 'already stored', 'the agent served the same measurement again')
  assert.equal((await store(b, moved, epoch, takenAtMs + 2000)).kind, 'stored')
  assert.equal((await store(b, moved, undefined, takenAtMs + 3000)).kind, 'not owned', 'without a lease')
  const read = historyStore({ db: database, clock, bus, log: silentLog })
  assert.deepEqual(
    (await storedSamples(read, 'system', moved)).map(({ atMs }) => atMs - takenAtMs),
    [0, 2000],
  )
})
