import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { isCborMap } from '@vedette/protocol/cbor/value'
import type { ContainerSample, Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { findEngine, type ContainerFigures } from '../../e2e/engine.ts'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { fromHex } from '../../protocol/test/recorded.ts'
import { hubKey, RunningAgent } from './running-agent.ts'
import { SshHub } from './ssh-client.ts'

/** A request for a sample whose cache time no other request uses. */
const REQUEST = fromHex('a2000001a2000001f4')

/** Memory that the container allocates, for the comparison. */
const HELD_BYTES = 20_000_000
/** Share of one CPU that the container uses. */
const BUSY_SHARE = 0.25

test(
  "agent reads a real engine's container from the kernel once both agree, and drops it when it stops",
  { timeout: 300_000 },
  async (t) => {
    await using engine = await findEngine()
    if (engine.kind === 'none') return t.skip(engine.reason)
    if (!engine.address.startsWith('unix://')) return t.skip('the engine is on another machine')
    const name = `vedette-counted-${randomBytes(4).toString('hex')}`
    const held = `held=$(busybox head -c ${HELD_BYTES} /dev/zero | busybox tr '\\0' x)`
    const container = await engine.run({ name, script: `${held}; echo ready; while :; do busybox true; done`, cpuShare: BUSY_SHARE })
    await using watched = await watchedEngine(engine.address.slice('unix://'.length))
    await using agent = await RunningAgent.start({ LISTEN: '127.0.0.1:0', DOCKER_HOST: watched.address })
    await using hub = await SshHub.connect(await agent.sshPort(), hubKey.privateText)
    const sample = async (): Promise<ContainerSample | undefined> => (await sampleOf(hub)).containers?.find((one) => one.name === name)

    // After three samples the container is listed, inspected and compared.
    let own = await sample()
    while (watched.askedForNumbers() > 0) own = await sample()

    const before = await container.figures()
    own = await sample()
    const after = await container.figures()
    assert.equal(watched.askedForNumbers(), 0)
    assertTrue(own, before, after)
    assert.deepEqual([own?.cpuLimitCpus, own?.memoryLimitBytes], [BUSY_SHARE, undefined])

    await container.stop()
    assert.equal(await sample(), undefined)
    // In parallel to the sample, the agent requests the reason from the engine.
    let events: Sample['containerEvents']
    while (events === undefined) events = (await sampleOf(hub)).containerEvents
    assert.deepEqual(
      events.map(({ container, exitCode, outOfMemory }) => [container, exitCode, outOfMemory]),
      [[name, 137, false]],
    )
  },
)

function assertTrue(own: ContainerSample | undefined, before: ContainerFigures, after: ContainerFigures): void {
  const { memoryBytes = 0, cpuPercent = 0 } = own ?? {}
  assert.ok(
    memoryBytes > HELD_BYTES && Math.abs(memoryBytes - after.memoryBytes) < after.memoryBytes / 10,
    `${memoryBytes}, ${after.memoryBytes}`,
  )
  const engine = (before.cpuPercent + after.cpuPercent) / 2
  assert.ok(cpuPercent > engine / 4 && cpuPercent < engine * 4, `${cpuPercent} %, the engine says ${engine} %`)
  assert.ok(own?.sentBytesPerSecond !== undefined || before.networkBytes === 0)
}

async function sampleOf(hub: SshHub): Promise<Sample> {
  const { stdout } = await hub.shell(REQUEST, { end: true })
  const item = decodeCbor(stdout, nodeUtf8)
  assert.ok(item.ok && isCborMap(item.value))
  const envelope = decodeEnvelope(item.value, 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document')
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok && document.sample.containers !== undefined)
  return document.sample
}

/** A socket in front of the engine that records the requests. */
async function watchedEngine(path: string) {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-watched-'))
  const sockets = new Set<Socket>()
  let asked = 0
  const server = createServer((client) => {
    const engine = connect(path)
    for (const socket of [client, engine]) {
      sockets.add(socket)
      // Either end may close first; its peer then gets the end of the stream.
      socket.on('error', () => undefined)
    }
    client.on('data', (data) => {
      asked += data.toString('latin1').match(/^GET \/containers\/[0-9a-f]+\/stats/gm)?.length ?? 0
    })
    client.pipe(engine)
    engine.pipe(client)
  })
  server.listen(join(folder, 'engine.sock'))
  await once(server, 'listening')
  return {
    address: `unix://${join(folder, 'engine.sock')}`,
    /** Number of stats requests since the last call. */
    askedForNumbers: () => {
      const count = asked
      asked = 0
      return count
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
      await rm(folder, { recursive: true })
    },
  }
}
