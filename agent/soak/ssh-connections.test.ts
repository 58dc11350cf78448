import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '../../protocol/test/recorded.ts'
import { hubKey } from '../test/running-agent.ts'
import { SshHub } from '../test/ssh-client.ts'
import { sshPortOf, startSoakedAgent } from './soaked-agent.ts'
import { isWhole, skip, watchMemory } from './watched-memory.ts'

const SSH_CONNECTIONS = isWhole ? 10_000 : 2_000
/** Number of connections until the caches are full: memory grows from 5.7 to 6.3 MiB, and is 6.4 MiB 20,000 connections later. */
const WARM_CONNECTIONS = 500
const FULL = fromHex('a2000001a20019ea6001f5')

test('agent keeps its memory flat over many SSH connections', { skip, timeout: 3_600_000 }, async () => {
  await using agent = startSoakedAgent({ LISTEN: '127.0.0.1:0' })
  const port = await sshPortOf(agent)
  const memory = watchMemory(agent, 'SSH connections')
  for (let connection = 1; connection <= SSH_CONNECTIONS; connection++) {
    await using hub = await SshHub.connect(port, hubKey.privateText)
    assert.equal((await hub.shell(FULL, { end: true })).exitStatus, 0)
    if (connection === WARM_CONNECTIONS) memory.warm()
  }
  memory.finish(SSH_CONNECTIONS)
})
