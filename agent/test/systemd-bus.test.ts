import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectBus } from '../src/collect/systemd/dbus-connection.ts'
import { connectSystemd } from '../src/collect/systemd/systemd-bus.ts'
import { createLoop } from '../src/runtime/deadline.ts'
import { nodeRuntime } from '../src/runtime/node-runtime.ts'
import { runningService, scriptedBus, type ScriptedBus } from './scripted-bus.ts'

/** The bus over a real unix socket, in small chunks. */
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-bus-'))
})
after(async () => {
  await rm(folder, { recursive: true })
})

async function serve(bus: Pick<ScriptedBus, 'accept'>): Promise<AsyncDisposable & { readonly path: string }> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.sock`)
  const server = createServer((socket) => {
    const heard = bus.accept((bytes) => {
      for (let at = 0; at < bytes.length; at += 1000) socket.write(bytes.subarray(at, at + 1000))
    })
    socket.on('data', (data) => heard(Uint8Array.from(Buffer.from(data))))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return { path, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Without timeouts, because a busy machine may be slower than those of the bus. */
function parts() {
  const runtime = { ...nodeRuntime(), timer: () => undefined }
  return { runtime, loop: createLoop(runtime) }
}

test('connectSystemd lists units and reads properties over a unix socket', async () => {
  const units = Array.from({ length: 300 }, (_, index) => runningService(`unit${index}.service`, index))
  await using server = await serve(scriptedBus(units))
  const manager = await connectSystemd(parts(), server.path)
  const listed = await manager.listUnits(['*.service'])
  assert.equal(listed.length, 300)
  const [first] = listed
  assert.equal(await manager.property(first?.objectPath ?? '', 'Service', 'MemoryCurrent'), 1_000_000)
  assert.equal(await manager.property(first?.objectPath ?? '', 'Service', 'NoSuchThing'), undefined)
  assert.equal((await manager.properties(await manager.findUnit('unit7.service'), 'Unit')).get('Id'), 'unit7.service')
  await assert.rejects(manager.findUnit('nothing.service'), { errorName: 'org.freedesktop.systemd1.NoSuchUnit' })
  manager.close()
})

test('connectBus lets the bus read the peer credentials when it knows this user under another id', async () => {
  const bus = scriptedBus([])
  const lines: string[] = []
  bus.handshake = (line) => {
    lines.push(line)
    if (line === 'AUTH EXTERNAL') return 'DATA\r\n'
    return line === 'DATA' ? 'OK 1234\r\n' : line === 'BEGIN' ? '' : 'REJECTED EXTERNAL\r\n'
  }
  await using server = await serve(bus)
  const connected = await connectBus(parts(), server.path)
  connected.close()
  assert.match(lines[0] ?? '', /^AUTH EXTERNAL (3[0-9])+$/)
  assert.deepEqual(lines.slice(1), ['AUTH EXTERNAL', 'DATA', 'BEGIN'])
})

for (const [what, say] of [
  ['that is not a bus', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['that sends an endless handshake', 'x'.repeat(40_000)],
  ['that sends invalid bytes after the handshake', 'OK 1234\r\nnonsense nonsense nonsense'],
  ['that sends an endless message', `OK 1234\r\nl\u0002\u0001\u0001\u00ff\u00ff\u00ff\u007f${'\u0001'.repeat(40)}`],
] as const) {
  test(`connectBus gives up on a peer ${what}`, async () => {
    await using server = await serve({
      accept: (write) => {
        let hasSpoken = false
        return () => {
          if (!hasSpoken) write(Uint8Array.from(Buffer.from(say, 'latin1')))
          hasSpoken = true
        }
      },
    })
    await assert.rejects(connectBus(parts(), server.path), { name: 'BusLost' })
  })
}

test('connectBus reports an address without a listener', async () => {
  await assert.rejects(connectBus(parts(), join(folder, 'none.sock')), /Cannot ask the message bus at ".*none\.sock": connect ENOENT/)
})
