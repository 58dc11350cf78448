import assert from 'node:assert/strict'
import { mock, test, type TestContext } from 'node:test'
import { silentLog } from '../../../test/databases.ts'
import type { SampleOutcome } from '../../samples/sample-store.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { sharedDeadlines, standardDeadlines, type Deadlines } from '../session/deadlines.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { End } from '../../platform/network/websocket-keep-alive.ts'
import { SystemMonitor } from './system-monitor.ts'

const stored: SampleOutcome = { kind: 'stored', record: { id: 's' } }

/** A monitor on a test clock. Its agent connected to the hub once and cannot be dialled. */
function monitored(
  context: TestContext,
  settlingMs: () => number,
  store: () => Promise<SampleOutcome> = async () => stored,
  { deadlines = standardDeadlines, ...agent }: Pick<AgentSession, 'link' | 'fetchDocument'> & { readonly deadlines?: Deadlines } = {
    link: 'websocket',
    fetchDocument: async () => new Map(),
  },
) {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const did: string[] = []
  const monitor = new SystemMonitor({
    earlierTakeoversMs: [],
    system: 's',
    clock: { now: () => 0 },
    log: silentLog,
    deadlines,
    dial: async () => {
      did.push('dial')
      throw new AgentUnavailable('refused', 'Nothing listens')
    },
    otherMachine: async () => undefined,
    store,
    storeDrives: async () => {},
    inTurn: (work) => work(),
    afterPolls: (work) => work(),
    groupMs: () => 100,
    settlingMs,
    explainDown: async () => {},
    markDown: async (reason) => void did.push(reason),
  })
  const { promise: closed, resolve: end } = Promise.withResolvers<End>()
  const session: AgentSession = {
    ...agent,
    agentVersion: '0.18.8',
    peer: '10.0.0.1',
    closed,
    close: () => {},
    ask: async () => ({ kind: 'error', message: 'nothing to say' }),
  }
  monitor.adopt(session)
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms)
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  context.after(() => monitor.stop())
  return { did, pass, end }
}

test('SystemMonitor dials at once when its agent is silent', async (context) => {
  const { did, pass, end } = monitored(context, () => 0)
  await pass(0)
  end('silent')
  await pass(0)
  await pass(0)
  assert.deepEqual(did, ['dial', 'Nothing listens'])
})

test('SystemMonitor waits for the reconnect grace time before it dials an agent that closed its connection', async (context) => {
  const { did, pass, end } = monitored(context, () => 0)
  await pass(0)
  end('closed')
  await pass(0)
  await pass(standardDeadlines.reconnectGraceMs - 1)
  assert.deepEqual(did, [])
  await pass(1)
  assert.deepEqual(did, ['dial', 'Nothing listens'])
})

for (const deadlines of [standardDeadlines, sharedDeadlines]) {
  const { reconnectGraceMs, secondTryMs } = deadlines
  test(`SystemMonitor waits ${reconnectGraceMs} ms for a reconnect when an agent closes its connection during a poll`, async (context) => {
    const { promise: answer, reject } = Promise.withResolvers<never>()
    let polls = 0
    const agent = { link: 'websocket', fetchDocument: async () => (polls++ === 0 ? new Map() : answer), deadlines } as const
    const { did, pass, end } = monitored(
      context,
      () => 0,
      async () => stored,
      agent,
    )
    await pass(0)
    await pass(90_000)
    assert.equal(polls, 2)
    end('closed')
    reject(new AgentUnavailable('closed', 'The agent closed the connection'))
    await pass(0)
    await pass(secondTryMs)
    await pass(reconnectGraceMs - secondTryMs - 1)
    assert.deepEqual(did, ['dial'])
    await pass(1)
    assert.deepEqual(did, ['dial', 'dial', 'Nothing listens'])
  })
}

for (const order of ['before', 'after'] as const) {
  test(`SystemMonitor dials at once when an SSH connection ends ${order} its response breaks off`, async (context) => {
    const { promise: answer, reject } = Promise.withResolvers<never>()
    const { did, pass, end } = monitored(
      context,
      () => 0,
      async () => stored,
      { link: 'ssh', fetchDocument: () => answer },
    )
    await pass(0)
    const breakOff = (): void => reject(new AgentUnavailable('unreadable', 'The reply is empty'))
    if (order === 'before') end('closed')
    else breakOff()
    await pass(0)
    if (order === 'before') breakOff()
    else end('closed')
    await pass(0)
    assert.deepEqual(did.slice(0, 1), ['dial'])
  })
}

test('SystemMonitor waits before it dials again when an SSH connection stays open after an unreadable response', async (context) => {
  const { did, pass } = monitored(
    context,
    () => 0,
    async () => stored,
    { link: 'ssh', fetchDocument: () => Promise.reject(new AgentUnavailable('unreadable', 'The reply is empty')) },
  )
  await pass(0)
  await pass(standardDeadlines.secondTryMs - 1)
  assert.deepEqual(did, [])
  await pass(1)
  assert.deepEqual(did.slice(0, 1), ['dial'])
})

test('SystemMonitor marks no system down while the hub settles after a suspend', async (context) => {
  const settling = 30_000
  const { did, pass, end } = monitored(context, () => settling)
  await pass(0)
  end('closed')
  await pass(0)
  await pass(29_000)
  assert.deepEqual(did, [])
  await pass(1000)
  assert.deepEqual(did, ['dial'])
  await pass(29_000)
  assert.deepEqual(did, ['dial'])
  await pass(1000)
  assert.deepEqual(did.slice(0, 2), ['dial', 'dial'])
})

test('SystemMonitor dials at once when the connection ended while a sample was stored', async (context) => {
  for (const [finish, end] of [
    ['resolve', 'silent'],
    ['pause', 'silent'],
    ['resolve', 'closed'],
  ] as const) {
    const outcome = Promise.withResolvers<SampleOutcome>()
    const {
      did,
      pass,
      end: endSession,
    } = monitored(
      context,
      () => 0,
      () => outcome.promise,
    )
    await pass(0)
    endSession(end)
    await pass(0)
    assert.deepEqual(did, [])
    outcome.resolve(finish === 'resolve' ? stored : { kind: 'storing paused' })
    await pass(0)
    await pass(end === 'closed' ? standardDeadlines.reconnectGraceMs : 0)
    assert.equal(did[0], 'dial')
    mock.timers.reset()
  }
})
