import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { itemsOf, runningHub } from '../running-hub.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

const activity = { readPercent: 0, writePercent: 4, utilisationPercent: 4, writeAwaitMs: 2.5, weightedPercent: 4 }
const sample = {
  ...machineSample,
  agentVersion: ANNOUNCED_VERSION,
  cpu: { busyPercent: 50, coreBusyPercent: [40, undefined, 60] },
  rootDisk: { totalBytes: 2 ** 40, usedBytes: 2 ** 39, usedPercent: 60, activity },
  extraDisks: { sdb: { totalBytes: 2 ** 40, usedBytes: 2 ** 39, usedPercent: 55 } },
  temperatures: { outside: -12.5, room: 20 },
  dashboardCelsius: -12.5,
  gpus: { '0': { name: 'A', memoryUsedMegabytes: 1024, memoryTotalMegabytes: 4096 } },
  ages: { memory: 90_000 },
}

for (const kind of databases) {
  test(
    `${kind.name}: values under our agent's own keys are stored: negative temperatures, unknown and old readings, disk usage`,
    { timeout: 300_000 },
    async () => {
      await using hub = await runningHub(kind)
      const { token, id: me } = hub.admin
      const created = { name: 'cold', host: '127.0.0.1', port: '1', users: [me] }
      const system = String((await hub.call(token, 'POST /api/collections/systems/records', created)).body['id'])
      await hub.call(token, 'POST /api/collections/fingerprints/records', { system, token: 'token-of-cold' })
      const agent = framingAgent({
        url: `${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`,
        token: 'token-of-cold',
        version: ANNOUNCED_VERSION,
        answer({ id, request }) {
          if (request.action === 'fingerprint')
            return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'cold-machine' } }, id))]
          return request.action === 'data' ? [bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument(sample) }, id))] : []
        },
      })
      const { body } = await hub.until(token, `GET /api/collections/systems/records/${system}`, (answer) => answer.body['status'] === 'up')
      const info = body['info'] as { readonly [key: string]: Json }
      assert.deepEqual([info['dt'], info['old'], info['efs'], info['dp']], [-12.5, { memory: 90 }, { sdb: 55 }, 60])
      const path = `GET /api/collections/system_stats/records?filter=${encodeURIComponent(`system="${system}"`)}`
      const stats = itemsOf(await hub.call(token, path))[0]?.['stats'] as { readonly [key: string]: Json }
      assert.deepEqual(stats['t'], { outside: -12.5, room: 20 })
      assert.deepEqual(stats['dios'], [0, 4, 4, null, 2.5, 4])
      assert.deepEqual(stats['cpus'], [40, null, 60])
      assert.deepEqual(stats['g'], { '0': { mu: 1024, mt: 4096 } })
      agent.close()
    },
  )
}
