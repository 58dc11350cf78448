import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import type { Message } from '@vedette/protocol/wire/request'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { itemsOf, runningHub, type RunningHub } from '../running-hub.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

type Event = { readonly name: string; readonly data: { readonly [key: string]: Json } }

/** Returns the events of an event stream in order. */
async function stream(hub: RunningHub) {
  const response = await fetch(`${hub.address}/api/realtime`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  const next = async (): Promise<Event> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        const name = /^event:(.*)$/m.exec(frame)?.[1]
        const data = /^data:(.*)$/m.exec(frame)?.[1]
        if (name !== undefined && data !== undefined) return { name, data: JSON.parse(data) as Event['data'] } // an object, always
        continue
      }
      const { value, done } = await reader.read()
      assert.equal(done, false)
      text += value ?? ''
    }
  }
  const { data } = await next()
  return { clientId: String(data['clientId']), next, close: () => reader.cancel() }
}

const topicOf = (system: string): string => `rt_metrics?options=${encodeURIComponent(JSON.stringify({ query: { system } }))}`
const identityReply = ({ id }: Message) => bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'live-machine' } }, id))

/** Duration of a live measurement in the agent, longer than the hub's interval of 1 s. */
const SLOW_MS = 1300

for (const kind of databases) {
  test(
    `${kind.name}: a watched system is measured every second, with one request at a time, and no live sample is stored`,
    { timeout: 300_000 },
    async () => {
      await using hub = await runningHub(kind)
      const { token, id: me } = hub.admin
      const created = { name: 'live', host: '127.0.0.1', port: '1', users: [me] }
      const system = String((await hub.call(token, 'POST /api/collections/systems/records', created)).body['id'])
      await hub.call(token, 'POST /api/collections/fingerprints/records', { system, token: 'token-of-live' })
      let outstanding = 0
      let most = 0
      let live = 0
      const agent = framingAgent({
        url: `${hub.address.replace('http', 'ws')}/api/beszel/agent-connect`,
        token: 'token-of-live',
        answer(message) {
          const { id, request } = message
          if (request.action === 'fingerprint') return [identityReply(message)]
          if (request.action !== 'data') return []
          const reply = (busyPercent: number) =>
            bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument({ ...machineSample, cpu: { busyPercent } }) }, id))
          if (request.cacheTimeMs === 60_000) return [reply(10)]
          live++
          most = Math.max(most, ++outstanding)
          setTimeout(() => {
            outstanding--
            agent.send([reply(50)])
          }, SLOW_MS)
          return []
        },
      })
      await hub.until(token, `GET /api/collections/systems/records/${system}`, ({ body }) => body['status'] === 'up')
      assert.equal(live, 0, 'nobody watches')

      const guest = await stream(hub)
      await hub.call('', 'POST /api/realtime', { clientId: guest.clientId, subscriptions: [topicOf(system)] })
      const watcher = await stream(hub)
      await hub.call(token, 'POST /api/realtime', { clientId: watcher.clientId, subscriptions: [topicOf(system)] })
      for (let count = 0; count < 2; count++) {
        const { name, data } = await watcher.next()
        assert.equal(name, topicOf(system))
        assert.deepEqual(Object.keys(data).toSorted(), ['Details', 'container', 'info', 'stats'])
        const stats = data['stats'] as { readonly cpu?: Json; readonly b?: Json } // as the hub makes it
        assert.deepEqual([stats.cpu, stats.b, data['container']], [50, [1000, 3000], null])
      }
      assert.deepEqual([most, live >= 2], [1, true])
      await guest.close()
      await watcher.close()
      const rows = itemsOf(
        await hub.call(token, `GET /api/collections/system_stats/records?filter=${encodeURIComponent(`system="${system}"`)}`),
      )
      assert.deepEqual(
        rows.map((row) => (row['stats'] as { readonly cpu?: Json }).cpu),
        [10],
      ) // as the hub makes it
      agent.close()
    },
  )
}
