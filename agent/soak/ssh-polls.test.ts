import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex } from '../../protocol/test/recorded.ts'
import { hubKey } from '../test/running-agent.ts'
import { SshHub } from '../test/ssh-client.ts'
import { sshPortOf, startSoakedAgent } from './soaked-agent.ts'
import { isWhole, skip, WARM, watchMemory } from './watched-memory.ts'

const SSH_POLLS = isWhole ? 100_000 : 5_000
const FULL = fromHex('a2000001a20019ea6001f5')

test('agent keeps its memory flat over many polls on one SSH connection', { skip, timeout: 3_600_000 }, async () => {
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
