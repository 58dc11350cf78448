import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import type { MachineFacts } from '@vedette/protocol/metrics/sample'
import { parseSources, tagFields, type SourcedTag } from '../../src/records/model/tag.ts'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { fleetOn, type RunningFleet } from '../running-fleet.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

const TOKEN = 'token-of-a-tagged-machine'

/** Makes the hub poll again without waiting for its interval, and resolves with the sources of the system's tags. */
async function polledAgain(fleet: RunningFleet, system: string): Promise<readonly SourcedTag[]> {
  await fleet.update(system, { status: 'paused' })
  await fleet.status(system, 'paused')
  await fleet.update(system, { status: 'pending' })
  return parseSources((await fleet.status(system, 'up'))['tagSources'])
}

for (const kind of databases)
  test(`tags of an agent follow its settings, and give no access until an admin accepts them (${kind.name})`, async () => {
    await using fleet = await fleetOn(kind)
    const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
    await fleet.addToken(system.id, TOKEN)
    let machine: MachineFacts = { hostname: 'tagged', tags: ['env=prod', 'two,tags', ' home ', ''] }
    const agent = framingAgent({
      url: fleet.url,
      token: TOKEN,
      answer: ({ id, request }) => {
        const reply: Reply =
          request.action === 'fingerprint'
            ? { kind: 'identity', identity: { fingerprint: 'tagged machine' } }
            : { kind: 'document', document: encodeDocument({ ...machineSample, machine }) }
        return [bytesOf(encodeEnvelope(reply, id))]
      },
    })
    const first = await fleet.status(system.id, 'up')
    const fromAgent = (tag: string): SourcedTag => ({ tag, sources: ['agent'] })
    assert.deepEqual(first['tags'], ['env=prod', 'home'])
    assert.deepEqual(parseSources(first['tagSources']), [fromAgent('env=prod'), fromAgent('home')])
    assert.deepEqual(first['accessTags'], [])

    const accepted: SourcedTag = { tag: 'env=prod', sources: ['admin', 'agent'] }
    await fleet.update(system.id, tagFields([accepted, fromAgent('home')]))
    machine = { threads: 4 }
    assert.deepEqual(await polledAgain(fleet, system.id), [accepted, fromAgent('home')], 'a sample without facts')
    machine = { hostname: 'tagged', tags: ['new'] }
    assert.deepEqual(await polledAgain(fleet, system.id), [{ tag: 'env=prod', sources: ['admin'] }, fromAgent('new')])
    machine = { hostname: 'tagged' }
    assert.deepEqual(await polledAgain(fleet, system.id), [{ tag: 'env=prod', sources: ['admin'] }])
    agent.close()
  })
