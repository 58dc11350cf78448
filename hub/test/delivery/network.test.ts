import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { withoutIpv6 } from '../../../protocol/test/own-ipv6.ts'
import { standardDeadlines } from '../../src/fleet/session/deadlines.ts'
import { databases } from '../databases.ts'
import { fleetOn, shortDeadlines } from '../running-fleet.ts'
import { answering, behavingSshAgent, documentReply, machineSample, type Behaviour } from '../scripted-agent.ts'

const good: Behaviour = answering(() => documentReply(machineSample))

/** A listener that accepts no connections and whose backlog is full: another SYN gets no reply. */
const DEAF = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  console.log(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

for (const kind of databases) {
  for (const [name, at, host] of [
    ['the name localhost', { port: 0, host: 'localhost' }, 'localhost'],
    ['an IPv6 address', { port: 0, host: '::1' }, '::1'],
  ] as const) {
    test(`${kind.name}: an agent is polled over SSH at ${name}`, { timeout: 300_000, skip: host === '::1' && withoutIpv6 }, async () => {
      await using fleet = await fleetOn(kind)
      await using agent = await behavingSshAgent(fleet.key.publicLine, { behave: good, at })
      const system = await fleet.addSystem({ host, port: String(agent.port) })
      await fleet.status(system.id, 'up')
    })
  }

  test(`${kind.name}: an agent is polled over SSH at a Unix socket, and the port is ignored`, { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-socket-'))
    try {
      await using fleet = await fleetOn(kind)
      const path = join(folder, 'agent.sock')
      await using _ = await behavingSshAgent(fleet.key.publicLine, { behave: good, at: { path } })
      const system = await fleet.addSystem({ host: path, port: '45876' })
      await fleet.status(system.id, 'up')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test(`${kind.name}: a system at a closed port is down, and up when an agent listens there`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    const place = createServer().listen(0, '127.0.0.1')
    await once(place, 'listening')
    const { port } = place.address() as AddressInfo // a TCP server's address is an object
    place.close()
    await once(place, 'close')
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(port) })
    await fleet.status(system.id, 'down')
    await using _ = await behavingSshAgent(fleet.key.publicLine, { behave: good, at: { port, host: '127.0.0.1' } })
    await fleet.status(system.id, 'up')
  })

  test(`${kind.name}: a system whose server closes every connection is down`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(closing, 'listening')
    const { port } = closing.address() as AddressInfo // a TCP server's address is an object
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(port) })
    await fleet.status(system.id, 'down')
    closing.close()
  })

  test(
    `${kind.name}: a corrected address is dialled at once, although a dial to the old address is pending`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind, { ...standardDeadlines, handshakeMs: 600_000 })
      const silent = createServer(() => {}).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo // a TCP server's address is an object
      const dialled = once(silent, 'connection')
      const system = await fleet.addSystem({ host: '127.0.0.1', port: String(port) })
      await dialled
      await using agent = await behavingSshAgent(fleet.key.publicLine, { behave: good })
      await fleet.update(system.id, { port: String(agent.port) })
      await fleet.status(system.id, 'up')
      silent.close()
    },
  )

  test(`${kind.name}: a system that does not reply to a SYN is down after the timeout`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind, { ...shortDeadlines, connectMs: 200 })
    const deaf = spawn(process.execPath, ['-e', DEAF], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const [port] = (await once(createInterface({ input: deaf.stdout }), 'line')) as [string]
      // The first dials fill the backlog, and later SYNs get no reply. Each dial ends within its timeout.
      const systems = await Promise.all([1, 2, 3, 4].map(() => fleet.addSystem({ host: '127.0.0.1', port })))
      const down = await Promise.all(
        systems.map(({ id }) =>
          fleet.seen(({ collection, record }) => collection === 'systems' && record.id === id && record['status'] === 'down'),
        ),
      )
      assert.equal(down.length, systems.length)
    } finally {
      deaf.kill('SIGKILL')
    }
  })

  test(`${kind.name}: a connection that is reset between two polls does not fail a poll`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const behave: Behaviour = async (channel, asked, connection) => {
      await good(channel, asked, connection)
      channel.on('close', () => connection.end())
    }
    await using agent = await behavingSshAgent(fleet.key.publicLine, { behave })
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    await fleet.status(system.id, 'up')
    await fleet.update(system.id, { status: 'paused' })
    await fleet.status(system.id, 'paused')
    await fleet.update(system.id, { status: 'pending' })
    await fleet.status(system.id, 'up')
    assert.ok(agent.connections() >= 2)
  })
}
