import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { refusedHub, startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { startPostgresServer } from '../postgres-server.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

function folder(): Disposable & { readonly path: string } {
  const path = makeMemoryFolder('vedette-hubs-')
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const KEY = 'one key for all hubs of a database'

test('a second hub without --nats is refused while the first hub is alive', { timeout: 300_000 }, async () => {
  await using place = await postgres.ready()
  assert.ok('url' in place.at)
  const { url } = place.at
  using data = folder()
  const on = (name: string) => ['--data', join(data.path, name), '--database', url, '--secret-key', KEY, '--hub-name', name]
  const first = await startHubProcess(on('a'))
  try {
    const second = await refusedHub(['--listen', '127.0.0.1:0', ...on('b')])
    assert.deepEqual(second, {
      status: 1,
      complaints: ['Cannot use the database: the hub "a" is using it; stop it, or give both hubs --nats'],
    })
    first.kill('SIGKILL')
    await first.ended
    const again = await startHubProcess(on('a'))
    again.kill('SIGTERM')
    assert.equal(await again.ended, 0)
    assert.equal(again.complaints(), '')
  } finally {
    first.kill('SIGKILL')
  }
})

test('a read replica is refused with one sentence', { timeout: 300_000 }, async () => {
  const server = await startPostgresServer()
  try {
    using data = folder()
    const flags = ['--listen', '127.0.0.1:0', '--data', data.path, '--database', server.url]
    const first = await startHubProcess(flags)
    first.kill('SIGTERM')
    await first.ended
    server.becomeStandby()
    // Until it has started, the server refuses connections.
    let { complaints } = await refusedHub(flags)
    while (complaints.join().startsWith('Cannot read the database')) ({ complaints } = await refusedHub(flags))
    assert.deepEqual(complaints, ['Cannot use the database: the server is a read replica; give the address of the primary server'])
  } finally {
    await server.stop()
  }
})
