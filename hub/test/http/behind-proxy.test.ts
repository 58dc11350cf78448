import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import PocketBase, { type RecordSubscription } from 'pocketbase'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { TestEventSource } from '../clients/event-source.ts'
import { databases } from '../databases.ts'
import { framingAgent } from '../framing-agent.ts'
import { nginxProgram, startNginx } from '../nginx.ts'
import { runningHub } from '../running-hub.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'
import { freePort } from '../../../tools/free-port.ts'

Object.assign(globalThis, { EventSource: TestEventSource })

const [kind] = databases
const program = nginxProgram()
const PAGE = '<!doctype html><html><head><base href="/" /></head><script type="module" src="./assets/a.js"></script></html>'

/** Two proxies in front of one hub: one removes the path, one keeps it. */
async function hubBehindProxies() {
  assert.ok(kind !== undefined && program !== undefined)
  const stack = new AsyncDisposableStack()
  const webRoot = mkdtempSync(join(tmpdir(), 'vedette-web-'))
  stack.defer(() => rmSync(webRoot, { recursive: true, force: true }))
  mkdirSync(join(webRoot, 'assets'))
  writeFileSync(join(webRoot, 'index.html'), PAGE)
  writeFileSync(join(webRoot, 'assets', 'a.js'), 'export {}')
  const [taking, leaving] = [await freePort(), await freePort()]
  const options = ['--app-url=https://example.com/monitor', '--trusted-proxies=127.0.0.1/32', `--web-root=${webRoot}`]
  const hub = stack.use(await runningHub(kind, options))
  const sites = [
    { port: taking, proxyPass: `${hub.address}/` },
    { port: leaving, proxyPass: hub.address },
  ]
  stack.use(await startNginx(program, sites))
  return { hub, bases: sites.map(({ port }) => `http://127.0.0.1:${port}/monitor`), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Sends a request from another address of this machine, like another client. */
async function askFrom(localAddress: string, url: string, headers: { readonly [name: string]: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { localAddress, headers }, (response) => resolve(text(response))).on('error', reject)
  })
}

test(
  'a hub behind nginx serves pages, API, events and agents under a path that the proxy removes or keeps',
  { skip: program === undefined ? 'there is no nginx on this machine' : false, timeout: 300_000 },
  async (t) => {
    await using served = await hubBehindProxies()
    const { hub, bases } = served
    for (const [at, base] of bases.entries()) {
      await t.test(at === 0 ? 'the proxy removes the path' : 'the proxy keeps the path', async () => {
        for (const path of ['/', '/system/some']) {
          const page = await fetch(base + path)
          assert.equal(await page.text(), PAGE.replace('href="/"', 'href="/monitor/"'))
        }
        assert.equal((await fetch(`${base}/assets/a.js`)).headers.get('content-type'), 'text/javascript; charset=utf-8')

        const client = new PocketBase(base)
        const { record } = await client.collection('users').authWithPassword('admin@example.com', 'a good password')
        const heard = Promise.withResolvers<RecordSubscription>()
        await client.collection('systems').subscribe('*', (event) => {
          if (event.record['status'] === 'up') heard.resolve(event)
        })
        const { id } = await client.collection('systems').create({ name: 'behind', host: '127.0.0.1', port: '1', users: [record.id] })
        await client.collection('fingerprints').create({ system: id, token: `token-of-${id}` })
        const agent = framingAgent({
          url: `${base.replace('http', 'ws')}/api/beszel/agent-connect`,
          token: `token-of-${id}`,
          answer({ id: asked, request }) {
            if (request.action === 'fingerprint') {
              return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: `machine of ${id}` } }, asked))]
            }
            if (request.action !== 'data') return []
            return [bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument(machineSample) }, asked))]
          },
        })
        assert.equal((await heard.promise).record.id, id)
        agent.close()
        await client.collection('systems').unsubscribe()

        const authorization = client.authStore.token
        for (const made of ['', '203.0.113.5']) {
          const forwarded = made === '' ? {} : { 'x-forwarded-for': made }
          const health = JSON.parse(await askFrom('127.0.0.9', `${base}/api/health`, { authorization, ...forwarded })) as {
            readonly data: { readonly realIP: string }
          } // the response to an admin
          assert.equal(health.data.realIP, '127.0.0.9')
        }
      })
    }
    const direct = await askFrom('127.0.0.9', `${hub.address}/api/health`, {
      authorization: hub.admin.token,
      'x-forwarded-for': '203.0.113.5',
    })
    assert.match(direct, /"realIP":"127\.0\.0\.9"/)
  },
)
