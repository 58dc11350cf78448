import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { generatePrivateKey } from '../../src/fleet/ssh/hub-key.ts'
import { databases } from '../databases.ts'
import { fleetOn, shortDeadlines } from '../running-fleet.ts'
import { answering, behavingSshAgent, documentReply, machineSample } from '../scripted-agent.ts'

const OURS = 'beszel_0.18.8+vedette.0.1.0'
const behave = answering(() => documentReply(machineSample))

for (const kind of databases) {
  test(
    `${kind.name}: an agent of ours with a different host key is refused until an admin accepts the key`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind, shortDeadlines)
      const [first, second, third] = [generatePrivateKey(), generatePrivateKey(), generatePrivateKey()]
      const agent = await behavingSshAgent(fleet.key.publicLine, { ident: OURS, hostKey: first, behave })
      const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
      await fleet.status(system.id, 'up')
      assert.deepEqual(await fleet.fleet.acceptHostKey(system.id), { ok: true, value: false }, 'none was refused')
      await agent.stop()
      await fleet.status(system.id, 'down')

      await using same = await behavingSshAgent(fleet.key.publicLine, { ident: OURS, hostKey: first, behave })
      await fleet.update(system.id, { port: String(same.port) })
      await fleet.status(system.id, 'up')

      await using changed = await behavingSshAgent(fleet.key.publicLine, { ident: OURS, hostKey: second, behave })
      await fleet.update(system.id, { port: String(changed.port) })
      const down = await fleet.status(system.id, 'down')
      const why = String((down['info'] as { readonly why?: Json }).why) // as the hub stores it
      assert.match(why, /^The agent shows another host key \(SHA256:\S+\) than the one it had \(SHA256:\S+\)/)
      assert.equal(changed.requests.length, 0, 'nothing was asked')
      assert.deepEqual(await fleet.fleet.acceptHostKey(system.id), { ok: true, value: true })
      await fleet.status(system.id, 'up')

      await using foreign = await behavingSshAgent(fleet.key.publicLine, { ident: 'beszel_0.18.8', hostKey: third, behave })
      await fleet.update(system.id, { port: String(foreign.port) })
      await fleet.status(system.id, 'down')
      assert.deepEqual(await fleet.fleet.acceptHostKey(system.id), { ok: true, value: true }, 'another program took its place')
      await fleet.status(system.id, 'up')
    },
  )

  test(`${kind.name}: other agents with a new host key at each start are accepted`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    const first = await behavingSshAgent(fleet.key.publicLine, { behave })
    const system = await fleet.addSystem({ host: '127.0.0.1', port: String(first.port) })
    await fleet.status(system.id, 'up')
    await first.stop()
    await fleet.status(system.id, 'down')
    await using second = await behavingSshAgent(fleet.key.publicLine, { behave })
    await fleet.update(system.id, { port: String(second.port) })
    await fleet.status(system.id, 'up')
  })
}
