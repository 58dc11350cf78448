import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { encodeRequest, type Request } from '@vedette/protocol/wire/request'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { isNativeBuilt } from '../../tools/native-agent.ts'
import { startChurningEngine } from '../soak/churning-engine.ts'
import { readReply } from '../soak/restarting-hub.ts'
import { sshPortOf, startSoakedAgent } from '../soak/soaked-agent.ts'
import { hubKey } from '../test/running-agent.ts'
import { runningService, scriptedBus } from '../test/scripted-bus.ts'
import { SshHub } from '../test/ssh-client.ts'
import { startMutatingProxy } from './mutating-proxy.ts'
import { diceOf, mutate } from './mutations.ts'

const ROUNDS = process.env['VEDETTE_SOAK'] !== undefined ? 5_000 : 150
/** Three times the memory that the agent uses when every peer is honest. */
const MOST_MEBIBYTES = 16

const skip = isNativeBuilt() ? false : 'the native agent is not built'
const seed = randomInt(2 ** 31)
const request = (what: Request): Uint8Array => encodeCbor(encodeRequest({ id: 1, request: what }), nodeUtf8)

test(
  'agent answers every valid request between a hostile engine, a hostile D-Bus and hostile requests',
  { skip, timeout: 2 * 3_600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-fuzz-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rmSync(folder, { recursive: true }))
    const at = (name: string): string => join(folder, name)
    stack.use(await startChurningEngine(at('real-engine')))
    stack.use(await startBus(at('real-bus')))
    const engine = stack.use(await startMutatingProxy({ at: at('engine'), peer: at('real-engine'), under: 'who connects', seed }))
    stack.use(await startMutatingProxy({ at: at('bus'), peer: at('real-bus'), under: 'who connects', seed }))
    engine.beHonest(true)
    const agent = stack.use(
      startSoakedAgent({
        LISTEN: '127.0.0.1:0',
        DOCKER_HOST: `unix://${at('engine')}`,
        DOCKER_TIMEOUT: '40ms',
        SKIP_SYSTEMD: 'false',
        DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${at('bus')}`,
      }),
    )
    const port = await sshPortOf(agent)
    const hub = stack.use(await SshHub.connect(port, hubKey.privateText))
    const poll = request({ action: 'data', cacheTimeMs: 1, includeDetails: false })
    const questions = [
      poll,
      request({ action: 'container-logs', containerId: '0123456789ab' }),
      request({ action: 'container-inspect', containerId: '0123456789ab' }),
      request({ action: 'service-details', serviceName: 'unit1.service' }),
      request({ action: 'diagnosis' }),
      request({ action: 'fingerprint', signature: new Uint8Array(64), needSystemInfo: true }),
    ]
    /** A valid poll still gets a readable document, whatever input the agent received before. */
    const check = async () => {
      const { stdout, exitStatus } = await hub.shell(poll, { end: true })
      assert.equal(exitStatus, 0)
      const reply = readReply(stdout, 'document')
      const document = reply.kind === 'document' ? decodeDocument(reply.document) : undefined
      assert.ok(document?.ok)
      assert.deepEqual(document.problems, [])
      return document.sample
    }
    assert.equal((await check()).containers?.length, 3)
    engine.beHonest(false)
    for (let round = 0; round < ROUNDS; round++) {
      const dice = diceOf(seed + round)
      const question = questions[dice(questions.length)] ?? poll
      const asked = dice(2) === 0 ? mutate(question, dice) : question
      try {
        await hub.shell(asked, { end: true })
        await check()
        agent.assertAlive()
      } catch (error) {
        throw new Error(`Seed ${seed}, round ${round}: after ${Buffer.from(asked).toString('hex')}`, { cause: error })
      }
    }
    const resident = agent.residentMebibytes()
    console.log(`${ROUNDS} rounds, seed ${seed}: resident ${resident.toFixed(2)} MiB`)
    assert.ok(resident < MOST_MEBIBYTES)
  },
)

async function startBus(path: string): Promise<AsyncDisposable> {
  const bus = scriptedBus(Array.from({ length: 40 }, (_, index) => runningService(`unit${index}.service`, index)))
  const server = createServer((socket) => {
    const heard = bus.accept((bytes) => socket.write(bytes))
    socket.on('data', (data) => heard(Uint8Array.from(Buffer.from(data))))
    socket.on('error', () => socket.destroy())
  })
  server.listen(path)
  await once(server, 'listening')
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}
