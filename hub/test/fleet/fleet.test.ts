import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { ownsAllSystems, type OwnershipListener } from '../../src/fleet/ownership/system-ownership.ts'
import { databases } from '../databases.ts'
import type { StoredRecord } from '../../src/records/model/stored-record.ts'
import { fleetOn, LOCAL_TOKEN, shortDeadlines } from '../running-fleet.ts'
import { storedSamples } from '../stored-samples.ts'
import { machineSample, sshAgent, webSocketAgent, type SshAgent } from '../scripted-agent.ts'

/** Requests of polls, without the background requests for drives. */
const polls = ({ requests }: SshAgent) => requests.map(({ request }) => request).filter(({ action }) => action === 'data')

/** An ownership that the test moves. */
function movedOwnership() {
  const owned = new Set<string>()
  const listeners = new Set<OwnershipListener>()
  const move = (system: string): void => listeners.forEach(({ onMoved }) => onMoved([system]))
  return {
    ...ownsAllSystems,
    owns: (system: string) => owned.has(system),
    subscribe: (listener: OwnershipListener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    gain: (system: string) => {
      owned.add(system)
      move(system)
    },
    lose: (system: string) => {
      owned.delete(system)
      move(system)
    },
  }
}

for (const kind of databases) {
  test(`${kind.name}: a system is polled only by the hub that owns it`, { timeout: 300_000 }, async () => {
    const ownership = movedOwnership()
    await using fleet = await fleetOn(kind, undefined, { ownership })
    await using agent = await sshAgent(fleet.key.publicLine)
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    const owned = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    ownership.gain(owned.id)
    await fleet.status(owned.id, 'up')
    assert.equal(polls(agent).length, 1, 'the other system is not polled')
    ownership.gain(system.id)
    await fleet.status(system.id, 'up')
    ownership.lose(system.id)
    const asked = await fleet.fleet.ask(system.id, { action: 'container-logs', containerId: 'abcdefabcdef' })
    assert.equal(asked.ok, false, 'a lost system is its new owner’s')
    await fleet.update(system.id, { port: '1' })
    await fleet.update(owned.id, { status: 'paused' })
    await fleet.update(owned.id, { status: 'pending' })
    await fleet.status(owned.id, 'up')
    assert.equal((await fleet.records.load('systems', system.id))?.['status'], 'up', 'nobody here dials a lost system')
  })

  test(`${kind.name}: a system added by address is up at once, with a first sample`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    await using agent = await sshAgent(fleet.key.publicLine)
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    const up = await fleet.status(system.id, 'up')
    const info = up['info'] as Record<string, Json>
    assert.deepEqual([info['u'], info['m'], info['c'], info['t'], info['cpu'], info['ct']], [3600, 'Example CPU', 2, 4, 12.5, 1])
    assert.deepEqual(polls(agent), [{ action: 'data', cacheTimeMs: 60_000, includeDetails: true }])
    const samples = await storedSamples(fleet.history, 'system')
    assert.deepEqual(
      samples.map(({ system: of, values }) => [of, values['cpu.busyPercent']]),
      [[system.id, 12.5]],
    )
    assert.equal((await fleet.records.load('system_details', system.id))?.['cpu'], 'Example CPU')
  })

  test(`${kind.name}: a system is down when its agent stops, and up when the agent is back`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const agent = await sshAgent(fleet.key.publicLine)
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    await fleet.status(system.id, 'up')
    await agent.stop()
    const down = await fleet.status(system.id, 'down')
    const info = down['info'] as Record<string, Json>
    assert.equal(info['cpu'], 12.5, 'the last known values stay')
    assert.match(String(info['why']), /Nothing listens at 127\.0\.0\.1/)
    await using again = await sshAgent(fleet.key.publicLine)
    await fleet.update(system.id, { port: String(again.port) })
    await fleet.status(system.id, 'up')
  })

  test(
    `${kind.name}: an agent with another hub's key refuses the connection, and the system shows the reason`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      await using other = await fleetOn(kind)
      await using agent = await sshAgent(other.key.publicLine)
      const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
      const down = await fleet.status(system.id, 'down')
      assert.match(String((down['info'] as Record<string, Json>)['why']), /does not accept this hub's key/)
      assert.equal(agent.requests.length, 0)
    },
  )

  test(
    `${kind.name}: a paused system is not polled until it is resumed, and a deleted system never again`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      await using agent = await sshAgent(fleet.key.publicLine)
      const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
      await fleet.status(system.id, 'up')
      await fleet.update(system.id, { status: 'paused' })
      await fleet.status(system.id, 'paused')
      assert.equal(polls(agent).length, 1)
      await fleet.update(system.id, { status: 'pending' })
      await fleet.status(system.id, 'up')
      assert.equal(polls(agent).length, 2)
      await fleet.remove(system.id)
      assert.equal(await fleet.records.load('systems', system.id), undefined)
    },
  )

  test(
    `${kind.name}: an agent that dials authenticates by token and fingerprint, and the hub by its signature`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
      await fleet.addToken(system.id, 'token-of-machine')
      const agent = webSocketAgent({ url: fleet.url, token: 'token-of-machine', identity: { fingerprint: 'first-machine' } })
      const up = await fleet.status(system.id, 'up')
      assert.equal((up['info'] as Record<string, Json>)['ct'], 2)
      assert.deepEqual(
        agent.signatures,
        [fleet.key.sign('token-of-machine')].map((signature) => new Uint8Array(signature)),
      )
      const clone = webSocketAgent({ url: fleet.url, token: 'token-of-machine', identity: { fingerprint: 'second-machine' } })
      assert.deepEqual(await clone.closedWith, { code: 1000, reason: 'fingerprint mismatch' })
      agent.close()
      const down = await fleet.status(system.id, 'down')
      assert.ok((down['info'] as Record<string, Json>)['why'])
    },
  )

  test(
    `${kind.name}: the machine at the address of an agent that dials does not stand in for it, unless it has its host name`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind, shortDeadlines)
      let hostname = 'gateway'
      const sample = () => ({ ...machineSample, machine: { ...machineSample.machine, hostname } })
      await using gateway = await sshAgent(fleet.key.publicLine, sample)
      const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
      await fleet.addToken(system.id, 'token-of-machine')
      const agent = webSocketAgent({ url: fleet.url, token: 'token-of-machine', identity: { fingerprint: 'first-machine' } })
      await fleet.status(system.id, 'up')
      // Behind a gateway, every agent seems to have the address of the gateway.
      await fleet.update(system.id, { port: String(gateway.port) })
      agent.close()
      const down = await fleet.status(system.id, 'down')
      const why = `Another machine, "gateway", responds at 127.0.0.1:${gateway.port}, and this system is "machine"`
      assert.ok(String((down['info'] as Record<string, Json>)['why']).startsWith(why), JSON.stringify(down['info']))
      hostname = 'machine'
      const up = await fleet.status(system.id, 'up')
      assert.equal((up['info'] as Record<string, Json>)['ct'], 1)
    },
  )

  test(`${kind.name}: an agent with an unknown token is refused before the upgrade`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    assert.equal(await webSocketAgent({ url: fleet.url, token: 'stolen', identity: { fingerprint: 'x' } }).refusedWith, 401)
    assert.equal(await webSocketAgent({ url: fleet.url, token: 'x'.repeat(65), identity: { fingerprint: 'x' } }).refusedWith, 400)
    assert.deepEqual(await fleet.records.loadWhere('systems', {}), [])
  })

  test(
    `${kind.name}: an invalid token changes no status, but is the reason shown for a system that is down`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      await using living = await sshAgent(fleet.key.publicLine)
      const refusal = 'An agent at this address was refused: its token is not valid'
      const why = (record: StoredRecord | undefined) => (record?.['info'] as Record<string, Json> | undefined)?.['why']
      const up = await fleet.addSystem({ host: '127.0.0.1', port: String(living.port) })
      await fleet.status(up.id, 'up')
      const down = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
      assert.notEqual(why(await fleet.status(down.id, 'down')), refusal)
      // The monitor of this system waits for its next dial: it has no session, as after a start of the hub.
      const waiting = await fleet.addSystem({ host: '127.0.0.1', port: '2' })
      assert.equal(await webSocketAgent({ url: fleet.url, token: 'mistyped', identity: { fingerprint: 'x' } }).refusedWith, 401)
      const explained = await fleet.seen(
        ({ collection, record }) => collection === 'systems' && record.id === down.id && why(record) === refusal,
      )
      assert.equal(explained.record['status'], 'down')
      assert.equal((await fleet.records.load('systems', waiting.id))?.['status'], 'pending')
      assert.equal((await fleet.records.load('systems', up.id))?.['status'], 'up')
      assert.equal(why(await fleet.status(waiting.id, 'down')), refusal)
    },
  )

  test(
    `${kind.name}: the agent on the hub's machine registers itself once, and not again after its system was deleted`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      const identity = { fingerprint: 'this-machine', hostname: 'this-machine' }
      const agent = webSocketAgent({ url: fleet.url, token: LOCAL_TOKEN, identity })
      const { record } = await fleet.created('systems')
      assert.equal(record['name'], 'this-machine')
      await fleet.status(record.id, 'up')
      agent.close()
      await agent.closedWith
      const again = webSocketAgent({ url: fleet.url, token: LOCAL_TOKEN, identity })
      assert.equal(await again.refusedWith, undefined)
      await fleet.status(record.id, 'up')
      await fleet.remove(record.id)
      await again.closedWith
      assert.equal(await webSocketAgent({ url: fleet.url, token: LOCAL_TOKEN, identity }).refusedWith, 401)
    },
  )

  test(`${kind.name}: a removed container is removed from the list`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    let containers = ['web', 'db'].map((name, index) => ({ name, id: `${index}`.repeat(12), cpuPercent: 1, memoryBytes: 1024 ** 2 }))
    await using agent = await sshAgent(fleet.key.publicLine, () => ({ ...machineSample, containers }))
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
    await fleet.status(system.id, 'up')
    const names = async () =>
      (await fleet.records.loadWhere('containers', { system: system.id })).map((record) => record['name']).toSorted()
    assert.deepEqual(await names(), ['db', 'web'])
    containers = containers.slice(0, 1)
    await fleet.update(system.id, { status: 'paused' })
    await fleet.update(system.id, { status: 'pending' })
    await fleet.status(system.id, 'up')
    assert.deepEqual(await names(), ['web'])
  })
}
