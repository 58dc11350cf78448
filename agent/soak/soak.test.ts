import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { isNativeBuilt } from '../../tools/native-agent.ts'
import { fromHex } from '../../protocol/test/recorded.ts'
import { hubKey } from '../test/running-agent.ts'
import { SshHub } from '../test/ssh-client.ts'
import { startChurningEngine } from './churning-engine.ts'
import { readReply, SOAK_TOKEN, startRestartingHub, type AskedAgent } from './restarting-hub.ts'
import { sshPortOf, startSoakedAgent, type SoakedAgent } from './soaked-agent.ts'

/** How much of each: `npm run soak` asks for the whole, `npm run test:long` for enough to see one of a hundred bytes a sample. */
const whole = process.env['VEDETTE_SOAK'] !== undefined
const SAMPLES = whole ? 1_000_000 : 5_000
const SSH_POLLS = whole ? 100_000 : 5_000
const SSH_CONNECTIONS = whole ? 10_000 : 500
/** An agent waits 5 s before it dials again, so many agents are lost together. */
const DIALLERS = 20
const LOSSES_EACH = whole ? 500 : 4
const HUB_RESTARTS = whole ? 10 : 1

/** From here on memory may grow by a tenth. */
const WARM = 1_000
const MOST_GROWTH = 1.1

const skip = isNativeBuilt() ? false : 'the native agent is not built'
const LOOK_EVERY_MS = 100
const FULL = fromHex('a2000001a20019ea6001f5')

/** Watches one agent's memory; says it at the end, and that it has not grown. */
function watchMemory(agent: SoakedAgent, what: string) {
  let warm: number | undefined
  return {
    warm: () => (warm ??= agent.residentMebibytes()),
    finish(times: number) {
      agent.assertAlive()
      const [start, end] = [warm ?? Number.NaN, agent.residentMebibytes()]
      const figures = `resident ${start.toFixed(2)} → ${end.toFixed(2)} MiB, private ${agent.privateMebibytes().toFixed(2)} MiB`
      console.log(`${times} ${what}: ${figures}`)
      assert.ok(end <= start * MOST_GROWTH, `${what}: ${figures}`)
    },
  }
}

test('samples with containers that come and go: memory is flat', { skip, timeout: 3 * 3_600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-soak-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true }))
  const engine = stack.use(await startChurningEngine(join(folder, 'engine.sock')))
  const hub = stack.use(await startRestartingHub())
  const arrived = new Promise<AskedAgent>((resolve) => (hub.onAgent = resolve))
  const agent = stack.use(startSoakedAgent({ HUB_URL: hub.url, TOKEN: SOAK_TOKEN, DISABLE_SSH: 'true', DOCKER_HOST: engine.address }))
  const connection = await arrived
  const memory = watchMemory(agent, 'samples with 3 containers that are others after every fifth')
  for (let sample = 1; sample <= SAMPLES; sample++) {
    // With a cache time of 1 ms nothing is old: each is measured.
    const bytes = await connection.ask({ action: 'data', cacheTimeMs: 1, includeDetails: sample % 60 === 0 })
    if (sample % 1_000 !== 0) continue
    const reply = readReply(bytes, 'document')
    const document = reply.kind === 'document' ? decodeDocument(reply.document) : undefined
    assert.ok(document?.ok === true && document.sample.containers?.length === 3)
    if (sample === WARM) memory.warm()
    if (sample % 100_000 === 0) console.log(`${sample} samples: resident ${agent.residentMebibytes().toFixed(2)} MiB`)
  }
  assert.ok(engine.lists() >= SAMPLES, `the engine was asked ${engine.lists()} times`)
  memory.finish(SAMPLES)
})

test('polls over one SSH connection that is kept: memory is flat', { skip, timeout: 3_600_000 }, async () => {
  await using agent = startSoakedAgent({ LISTEN: '127.0.0.1:0' })
  await using hub = await SshHub.connect(await sshPortOf(agent), hubKey.privateText)
  const memory = watchMemory(agent, 'polls over one SSH connection')
  for (let poll = 1; poll <= SSH_POLLS; poll++) {
    const { exitStatus, stdout } = await hub.shell(FULL, { end: true })
    assert.ok(exitStatus === 0 && stdout.length > 200)
    if (poll === WARM) memory.warm()
  }
  memory.finish(SSH_POLLS)
})

test('SSH connections that come and go: memory is flat', { skip, timeout: 3_600_000 }, async () => {
  await using agent = startSoakedAgent({ LISTEN: '127.0.0.1:0' })
  const port = await sshPortOf(agent)
  const memory = watchMemory(agent, 'SSH connections')
  for (let connection = 1; connection <= SSH_CONNECTIONS; connection++) {
    await using hub = await SshHub.connect(port, hubKey.privateText)
    assert.equal((await hub.shell(FULL, { end: true })).exitStatus, 0)
    if (connection === SSH_CONNECTIONS / 10) memory.warm()
  }
  memory.finish(SSH_CONNECTIONS)
})

test(
  'WebSockets that are lost, and hubs that are away: memory is flat, and every agent comes back',
  { skip, timeout: 3 * 3_600_000 },
  async () => {
    await using stack = new AsyncDisposableStack()
    const hub = stack.use(await startRestartingHub())
    const total = DIALLERS * LOSSES_EACH
    let asked = 0
    const warm = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    hub.onAgent = (agent) => {
      agent.ask({ action: 'data', cacheTimeMs: 1, includeDetails: true }).then(
        (bytes) => {
          readReply(bytes, 'document')
          asked += 1
          if (asked === total / 10) warm.resolve()
          if (asked === total) done.resolve()
          agent.drop()
        },
        // The hub has shut meanwhile: that agent comes again.
        () => undefined,
      )
    }
    const agents = Array.from({ length: DIALLERS }, () =>
      stack.use(startSoakedAgent({ HUB_URL: hub.url, TOKEN: SOAK_TOKEN, DISABLE_SSH: 'true' })),
    )
    await warm.promise
    const memories = agents.map((agent, index) => {
      const memory = watchMemory(agent, `WebSockets lost, by agent ${index + 1} of ${DIALLERS}`)
      memory.warm()
      return memory
    })
    for (let restart = 0; restart < HUB_RESTARTS; restart++) {
      const before = asked
      await hub.shut()
      await hub.open()
      // Each agent has come once more, on average, before the next.
      while (asked < before + DIALLERS) await wait(LOOK_EVERY_MS)
    }
    await done.promise
    for (const memory of memories) memory.finish(LOSSES_EACH)
  },
)
