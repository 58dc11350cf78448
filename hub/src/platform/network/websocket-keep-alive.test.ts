import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mock, test, type TestContext } from 'node:test'
import { keepAlive } from './websocket-keep-alive.ts'

/** A socket that only records its calls, on a test clock. */
function scripted(context: TestContext, isBusy: () => boolean = () => false) {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const events = new EventEmitter()
  const did: string[] = []
  const socket = {
    on: (name: string, listener: () => void) => events.on(name, listener),
    ping: () => did.push('ping'),
    terminate: () => did.push('terminate'),
  }
  // Only the plain overload of the socket's `on` is used.
  let nowMs = 0
  const { end, stop } = keepAlive(socket as unknown as Parameters<typeof keepAlive>[0], isBusy, () => nowMs)
  return {
    did,
    end,
    stop,
    hears: (name: 'pong' | 'message') => events.emit(name),
    pass: async (ms: number) => {
      nowMs += ms
      mock.timers.tick(ms)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('keepAlive pings after 19 s without a message, and terminates 5 s later', async (context) => {
  const { did, end, pass } = scripted(context)
  await pass(18_999)
  assert.deepEqual(did, [])
  await pass(1)
  assert.deepEqual(did, ['ping'])
  await pass(4999)
  assert.equal(end(), 'closed')
  await pass(1)
  assert.deepEqual([did, end()], [['ping', 'terminate'], 'silent'])
})

for (const word of ['pong', 'message'] as const) {
  test(`keepAlive accepts a ${word} as a sign of life, and pings again 19 s later`, async (context) => {
    const { did, pass, hears } = scripted(context)
    await pass(19_000)
    await pass(4000)
    hears(word)
    await pass(18_999)
    assert.deepEqual(did, ['ping'])
    await pass(1)
    assert.deepEqual(did, ['ping', 'ping'])
  })
}

test('keepAlive pings at full seconds, so that connections share one timer', async (context) => {
  const { did, pass, hears } = scripted(context)
  await pass(300)
  hears('message')
  await pass(19_699)
  assert.deepEqual(did, [])
  await pass(1)
  assert.deepEqual(did, ['ping'])
})

test('keepAlive counts a message that arrived while the hub’s event loop was blocked', async (context) => {
  const { did, pass, hears } = scripted(context)
  await pass(19_000)
  mock.timers.tick(5000)
  hears('pong')
  await pass(0)
  assert.deepEqual(did, ['ping'])
})

test('keepAlive does not ping a busy agent, and pings it when it is idle again', async (context) => {
  let busy = true
  const { did, pass } = scripted(context, () => busy)
  await pass(19_000)
  await pass(19_000)
  assert.deepEqual(did, [])
  busy = false
  await pass(19_000)
  assert.deepEqual(did, ['ping'])
})

test('keepAlive leaves an agent with a request after the ping to the request’s deadline', async (context) => {
  let busy = false
  const { did, pass } = scripted(context, () => busy)
  await pass(19_000)
  busy = true
  await pass(5000)
  assert.deepEqual(did, ['ping'])
})

test('keepAlive neither pings nor terminates after stop', async (context) => {
  const { did, pass, stop } = scripted(context)
  await pass(19_000)
  stop()
  await pass(60_000)
  assert.deepEqual(did, ['ping'])
})
