import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Hono } from 'hono'
import type { Browser } from 'playwright-core'
import type PocketBase from 'pocketbase'
import { launchBrowser } from '../../../e2e/browser.ts'
import { serve } from '../../src/platform/http/server.ts'
import type { RequestContext } from '../../src/http/requests/request-context.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const { resolve } = createRequire(import.meta.url)

/** The official SDK as pages load it: a script that defines a global variable. */
const versions = [
  { version: 'newest', script: join(resolve('pocketbase'), '..', 'pocketbase.iife.js') },
  { version: '0.21', script: join(resolve('pocketbase-0-21'), '..', 'pocketbase.iife.js') },
] as const

/** A dashboard from the hub's own origin, and one from another origin. */
const origins = ['the hub', 'another origin'] as const

const MANY = 600
const SYSTEM = 'sys000000000006'

let browser: Browser | undefined

before(async () => {
  browser = await launchBrowser()
})
after(() => browser?.close())

type BrowserTask = { readonly address: string; readonly password: string; readonly system: string; readonly someoneElses: string }

/** Runs in the page: calls the SDK like dashboards do, and returns the results. */
async function useClient({ address, password, system, someoneElses }: BrowserTask) {
  const Client = (globalThis as unknown as { PocketBase: typeof PocketBase }).PocketBase // the script's global
  const client = new Client(address)
  const users = client.collection('users')
  const systems = client.collection('systems')
  const asked: string[] = []
  client.beforeSend = (url, options) => {
    asked.push(url)
    return { url, options }
  }
  const refused = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'not refused',
      (error: { status: number; response: { message?: string }; isAbort: boolean }) => [
        error.status,
        error.response.message ?? '',
        error.isAbort,
      ],
    )

  const wrong = await refused(users.authWithPassword('alice@example.com', 'wrong'))
  const { record } = await users.authWithPassword('alice@example.com', password)
  const refreshed = (await users.authRefresh()).record.id === record.id && client.authStore.isValid
  asked.length = 0
  const all = await systems.getFullList({ batch: 500, sort: '+name', filter: 'name ~ "many %"', fields: 'id,name' })
  const batches = asked.length
  const first = await systems.getFirstListItem(client.filter('name = {:name}', { name: 'many 0007' }))
  asked.length = 0
  const emptyId = await refused(systems.getOne(''))
  const askedWithoutId = asked.length
  const unseen = await refused(systems.getOne(someoneElses))
  const both = await Promise.all([refused(systems.getList()), systems.getList().then(() => 'answered')])

  const heard: unknown[] = []
  let wake = (): void => {}
  const hears = (count: number): Promise<void> =>
    new Promise((done) => {
      wake = () => heard.length >= count && done()
      wake()
    })
  const stop = await systems.subscribe(
    '*',
    ({ action, record: changed }) => {
      heard.push([action, { ...changed }])
      wake()
    },
    { fields: 'name' },
  )
  const made = await systems.create({ name: 'of a page', host: '127.0.0.1', port: '1', users: record.id })
  await systems.update(made.id, { name: 'changed by a page' })
  await systems.delete(made.id)
  await hears(3)
  await stop()
  await systems.subscribe(system, ({ action }) => {
    heard.push([action, 'one'])
    wake()
  })
  await systems.update(system, { name: 'seen by one' })
  await hears(4)
  await systems.unsubscribe()
  const connected = client.realtime.isConnected

  const { key } = await client.send<{ key: string }>('/api/beszel/getkey', {})
  const sent = await client.send<{ v: string }>('/api/beszel/getkey', { method: 'POST' })
  const batch = 'createBatch' in client ? client.createBatch() : undefined
  batch?.collection('systems').update(system, { name: 'of a batch' })
  batch?.collection('alerts').create({ user: record.id, system, name: 'CPU', value: 80 })
  const batched = (await batch?.send())?.map(({ status }) => status)
  users.client.authStore.clear()
  const signedOut = await refused(users.authRefresh())
  return {
    wrong,
    refreshed,
    all: all.length,
    batches,
    found: first['name'] as string,
    emptyId,
    askedWithoutId,
    unseen,
    both,
    heard,
    connected,
    key: key.startsWith('ssh-ed25519 ') && sent.v.startsWith('0.18.8'),
    batched,
    signedOut,
  }
}

function pages(): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/', (c) => c.html('<!doctype html><title>A dashboard</title>'))
}

for (const kind of databases) {
  for (const { version, script } of versions) {
    for (const origin of origins) {
      test(`${kind.name}: SDK ${version} works in a page of ${origin}`, { timeout: 300_000 }, async () => {
        assert.ok(browser)
        await using stack = new AsyncDisposableStack()
        const hub = stack.use(await recordedHub(kind))
        const server = stack.adopt(await serve(hub.app, { host: '127.0.0.1', port: 0 }), ({ close }) => close())
        stack.defer(() => hub.realtime.close())
        const users = [dataset.aliases['alice'] ?? '']
        await hub.test.database.write(async (unit) => {
          for (let at = 0; at < MANY; at += 1)
            await hub.engine.store.insert(unit, 'systems', { name: `many ${String(at).padStart(4, '0')}`, host: 'h', port: '1', users })
        })
        const context = stack.adopt(await browser.newContext({ bypassCSP: true }), (one) => one.close())
        const page = await context.newPage()
        const elsewhere = stack.adopt(await serve(pages(), { host: '127.0.0.1', port: 0 }), ({ close }) => close())
        await page.goto(origin === 'the hub' ? server.address : elsewhere.address)
        await page.addScriptTag({ path: script })
        const account = { password: dataset.password, system: SYSTEM, someoneElses: 'sys000000000003' }
        assert.deepEqual(await page.evaluate(useClient, { address: server.address, ...account }), {
          wrong: [400, 'Failed to authenticate.', false],
          refreshed: true,
          all: MANY,
          batches: 2,
          found: 'many 0007',
          emptyId: [404, 'Missing required record id.', false],
          askedWithoutId: 0,
          unseen: [404, "The requested resource wasn't found.", false],
          both: [[0, '', true], 'answered'],
          heard: [
            ['create', { name: 'of a page' }],
            ['update', { name: 'changed by a page' }],
            ['delete', { name: 'changed by a page' }],
            ['update', 'one'],
          ],
          connected: false,
          key: true,
          batched: version === 'newest' ? [200, 200] : undefined,
          signedOut: [401, 'The request requires valid record authorization token.', false],
        })
      })
    }
  }
}
