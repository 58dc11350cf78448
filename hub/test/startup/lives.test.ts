import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { WebSocket } from 'ws'
import { databases } from '../databases.ts'
import { functionCoverage } from '../function-coverage.ts'
import { httpPeer } from '../http-peer.ts'
import { itemsOf, runningHub, type RunningHub } from '../running-hub.ts'
import { bytesOf, documentReply, machineSample, readMessage } from '../scripted-agent.ts'
import { streamedEvents } from '../streamed-events.ts'

/** Rounds of each path. Only files that every round uses count, because timers of other jobs may run meanwhile. */
const ROUNDS = 3

/** The folder without knowledge of the product. */
const outsidePlatform = (files: ReadonlySet<string>): readonly string[] =>
  [...files].filter((file) => !file.startsWith('platform/')).toSorted()

/**
 * The maximum number of files outside platform/ that each path may use. An alert's path begins with that of a sample, and its number
 * counts the additional files. Lower a number when a path gets shorter.
 */
const most = { sample: 25, chart: 31, alert: 14 } as const

const [sqlite] = databases
if (sqlite === undefined) throw new Error('there is no database to test with')
const kind = sqlite

test('a sample uses few files from its socket to the event stream', async (t) => {
  await using scene = await warmScene()
  judge(t, 'sample', await filesOfSample(scene))
})

test('a preset chart uses few files from the request to the bytes', async (t) => {
  await using scene = await warmScene()
  const query = new URLSearchParams({
    filter: `system="${scene.system}" && type="1m" && created > "2020-01-01 00:00:00"`,
    fields: 'created,stats',
    sort: 'created',
    page: '1',
    perPage: '500',
  })
  const rounds: ReadonlySet<string>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    scene.coverage.reset()
    const answer = await scene.hub.call(scene.hub.admin.token, `GET /api/collections/system_stats/records?${query.toString()}`)
    // The first request compiles and caches.
    if (round > 0) rounds.push(scene.coverage.files())
    assert.equal(answer.status, 200)
    assert.ok(itemsOf(answer).length > 0)
  }
  judge(t, 'chart', filesOfAll(rounds))
})

test('an alert uses few files besides those of a sample, from the sample to the delivery', async (t) => {
  await using scene = await warmScene()
  const ofSample = new Set(await filesOfSample(scene))
  const { hub, system } = scene
  const { token, id } = hub.admin
  const { body: settings } = await hub.call(token, 'POST /api/collections/user_settings/records', { user: id })
  const saved = { settings: { emails: [], webhooks: [`gotify://127.0.0.1:${scene.peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`] } }
  assert.equal((await hub.call(token, `PATCH /api/collections/user_settings/records/${String(settings['id'])}`, saved)).status, 200)
  const alert = { user: id, system, name: 'CPU', value: 80, min: 1 }
  assert.equal((await hub.call(token, 'POST /api/collections/alerts/records', alert)).status, 200)
  const rounds: ReadonlySet<string>[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const fired = scene.delivered()
    await scene.say({ busyPercent: 97 })
    await fired
    if (round > 0) rounds.push(scene.coverage.files())
    const over = scene.delivered()
    await scene.say({ busyPercent: 3 })
    await over
  }
  judge(
    t,
    'alert',
    filesOfAll(rounds).filter((file) => !ofSample.has(file)),
  )
})

/** Returns the files that every round used. */
function filesOfAll([first = new Set(), ...others]: readonly ReadonlySet<string>[]): readonly string[] {
  return outsidePlatform(new Set([...first].filter((file) => others.every((one) => one.has(file)))))
}

async function filesOfSample({ coverage, events, say }: Awaited<ReturnType<typeof warmScene>>): Promise<readonly string[]> {
  const rounds: ReadonlySet<string>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const seen = events.next((event) => event.includes('event:system_stats'))
    await say({ busyPercent: 10 + round })
    await seen
    rounds.push(coverage.files())
  }
  return filesOfAll(rounds)
}

function judge(t: TestContext, life: keyof typeof most, files: readonly string[]): void {
  t.diagnostic(`${life}: ${files.length} files\n  ${files.join('\n  ')}`)
  assert.ok(files.length > 0)
  assert.ok(files.length <= most[life], `a ${life} needs ${files.length} files, at most ${most[life]}: ${files.join(', ')}`)
}

/** A hub with one connected agent that has been polled, a subscriber of the event stream, and a receiver of messages. */
async function warmScene() {
  const stack = new AsyncDisposableStack()
  const coverage = stack.use(functionCoverage())
  const receivers: (() => void)[] = []
  const peer = stack.use(
    await httpPeer(() => {
      receivers.shift()?.()
      return { status: 200 }
    }),
  )
  const hub = stack.use(await runningHub(kind))
  const { token, id } = hub.admin
  const { body: made } = await hub.call(token, 'POST /api/collections/systems/records', {
    name: 'web',
    host: '127.0.0.2',
    port: '1',
    users: [id],
  })
  const system = String(made['id'])
  const { body: universal } = await hub.call(token, 'POST /api/collections/fingerprints/records', { system, token: 'token-of-the-system' })
  assert.equal(universal['system'], system)
  const agent = connectedAgent(hub, 'token-of-the-system')
  stack.defer(agent.close)
  const events = stack.use(await streamedEvents(hub.address, token, ['systems/*', 'system_stats/*', 'container_stats/*', 'alerts/*']))

  let port = 1
  /** Polls the agent, which responds when nothing else is running. The counting begins then. */
  async function say(cpu: { readonly busyPercent: number }): Promise<void> {
    const request = agent.nextRequest()
    // A change of its address makes the hub poll a system at once.
    port += 1
    await hub.call(token, `PATCH /api/collections/systems/records/${system}`, { port: String(port) })
    const answer = await request
    await new Promise((resolve) => setImmediate(resolve))
    coverage.reset()
    answer({ ...machineSample, cpu })
  }

  const first = await agent.nextRequest()
  const shown = events.next((event) => event.includes('system_stats'))
  first(machineSample)
  await shown
  return {
    coverage,
    hub,
    peer,
    system,
    events,
    say,
    delivered: () => new Promise<void>((resolve) => receivers.push(resolve)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Answer = (sample: typeof machineSample) => void

/** An agent that delays its response to a request for a sample. */
function connectedAgent(hub: RunningHub, token: string) {
  const socket = new WebSocket(`${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`, {
    headers: { 'X-Token': token, 'X-Beszel': '0.18.8' },
    perMessageDeflate: false,
  })
  const unanswered: Answer[] = []
  let waiting: ((answer: Answer) => void) | undefined
  socket.on('message', (data: Buffer) => {
    const { id, request } = readMessage(data)
    if (request.action === 'fingerprint') {
      const identity = { fingerprint: 'aabbccddeeff00112233445566778899aabbccddeeff0011' }
      socket.send(bytesOf(encodeEnvelope({ kind: 'identity', identity }, id)))
      return
    }
    if (request.action !== 'data') return
    const answer: Answer = (sample) => socket.send(bytesOf(encodeEnvelope(documentReply(sample), id)))
    if (waiting === undefined) unanswered.push(answer)
    else waiting(answer)
    waiting = undefined
  })
  return {
    nextRequest: async (): Promise<Answer> => unanswered.shift() ?? (await new Promise((resolve) => (waiting = resolve))),
    close: () => socket.close(1000),
  }
}
