import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { refusedHub, startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { startNatsServer, withNats } from '../nats-server.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)
const { ready } = postgres

test(
  'a hub whose NATS login has no permission for the subjects is refused with one sentence',
  { timeout: 300_000, ...withNats },
  async () => {
    await using stack = new AsyncDisposableStack()
    const place = stack.use(await ready())
    assert.ok('url' in place.at)
    const data = makeMemoryFolder('vedette-nats-')
    stack.defer(() => rmSync(data, { recursive: true, force: true }))
    const permissions = 'permissions: { publish: "other.>", subscribe: "vedette.>" }'
    const lines = `authorization { users = [{ user: "hub", password: "x", ${permissions} }] }`
    const nats = stack.use(await startNatsServer({ lines }))
    const url = nats.url.replace('//', '//hub:x@')
    const flags = ['--listen', '127.0.0.1:0', '--data', join(data, 'a'), '--database', place.at.url, '--nats', url]
    assert.deepEqual(await refusedHub(flags), {
      status: 1,
      complaints: ['NATS does not let this hub use its subjects: allow its account to publish and to subscribe to "vedette.>"'],
    })
  },
)

test(
  'a hub starts while NATS is unreachable, and refuses to start if NATS requires another login',
  { timeout: 300_000, ...withNats },
  async () => {
    await using stack = new AsyncDisposableStack()
    const place = stack.use(await ready())
    assert.ok('url' in place.at)
    const data = makeMemoryFolder('vedette-nats-')
    stack.defer(() => rmSync(data, { recursive: true, force: true }))
    const nats = stack.use(await startNatsServer({ lines: 'authorization { token: "s3cret" }' }))
    const flags = ['--listen', '127.0.0.1:0', '--data', join(data, 'a'), '--database', place.at.url, '--nats', nats.url]
    assert.deepEqual(await refusedHub(flags), {
      status: 1,
      complaints: ['NATS refuses the login of this hub: check user, password, token or credentials in --nats'],
    })
    await nats.stop()
    const hub = await startHubProcess(flags)
    hub.kill('SIGTERM')
    assert.equal(await hub.ended, 0)
    assert.equal(hub.complaints(), '')
  },
)
