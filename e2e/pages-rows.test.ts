import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { followedTopics, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from './programs.ts'

const SYSTEMS = '/api/collections/systems/records'

type Stats = Readonly<Record<string, unknown>>
type StatsPage = { readonly items: readonly { readonly stats: unknown }[] }

/** The ten charts and what each says it is. */
const meanings = {
  'Total CPU Usage': 'Average system-wide CPU utilization',
  'Docker CPU Usage': 'CPU of docker containers',
  'Total Memory Usage': 'Precise utilization at the recorded time',
  'Docker Memory Usage': 'Memory of containers',
  'Swap Usage': 'Swap space in use',
  Temperature: "Temperatures of the system's sensors",
  'Disk Usage': 'Root partition space',
  'Disk I/O': 'Root filesystem throughput',
  Bandwidth: 'Network traffic of public interfaces',
  'Docker Network I/O': 'Includes traffic between internal services',
}
const always = ['Total CPU Usage', 'Total Memory Usage', 'Disk Usage', 'Disk I/O', 'Bandwidth']

/** Rows of the specification that depend on what a hub answers: the answers are the real ones, changed where a row says "when". */
describe('rows of the specification', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const loadedScripts = (page: Page) => {
    const names: string[] = []
    page.on('request', (request) => {
      const [, name] = /\/assets\/(.+)-[^-]+\.js$/.exec(new URL(request.url()).pathname) ?? []
      if (name !== undefined) names.push(name)
    })
    return names
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    const agent = await hub.startAgent('gauge')
    await hub.addSystem(admin, { name: 'gauge', port: agent.port })
    await hub.addSystem(admin, { name: 'other', port: await freePort() })
    const page = await hub.openPage(admin)
    await page.goto('/')
    await page.locator('[data-health=up]').waitFor()
  })

  after(() => hub[Symbol.asyncDispose]())

  test('§2 login: it is loaded on demand, by who is not signed in alone', async () => {
    const page = await hub.openPage()
    const loaded = loadedScripts(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.ok(loaded.includes('login-page'), loaded.join())
    assert.ok(!loaded.includes('fleet-page'), loaded.join())
    const signedIn = await hub.openPage(admin)
    const others = loadedScripts(signedIn)
    await signedIn.goto('/')
    await signedIn.getByRole('row').first().waitFor()
    assert.ok(!others.includes('login-page'), others.join())
  })

  test('§2 dashboard: the systems table is loaded with All Systems, not before', async () => {
    const page = await hub.openPage(admin)
    const loaded = loadedScripts(page)
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: '404' }).waitFor()
    assert.ok(!loaded.includes('fleet-page'), loaded.join())
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('row').first().waitFor()
    assert.ok(loaded.includes('fleet-page'), loaded.join())
  })

  test('§2 dashboard: without a known version there is no footer text', async () => {
    const page = await hub.openPage(admin)
    await page.route('**/api/beszel/getkey', async (route) => {
      const answer = (await (await route.fetch()).json()) as object // the hub's public key and version
      await route.fulfill({ json: { ...answer, v: '' } })
    })
    const answered = page.waitForResponse('**/api/beszel/getkey')
    await page.goto('/')
    await answered
    await page.getByRole('row').first().waitFor()
    assert.equal(await page.locator('footer').textContent(), '')
  })

  for (const [statuses, icon] of [
    [['up', 'down'], 'favicon-red.svg'],
    [['up', 'paused'], 'favicon-green.svg'],
    [['paused', 'pending'], 'favicon.svg'],
  ] as const) {
    test(`§2 browser icon: with systems ${statuses.join(' and ')} it is ${icon}`, async () => {
      const page = await hub.openPage(admin)
      await page.route('**/api/realtime', (route) => route.abort())
      await page.route(`**${SYSTEMS}?*`, async (route) => {
        const list = (await (await route.fetch()).json()) as { readonly items: readonly object[] } // a page of records
        await route.fulfill({ json: { ...list, items: list.items.map((item, index) => ({ ...item, status: statuses[index] })) } })
      })
      // It starts as the default: it is looked at where it was another before.
      await page.addInitScript(
        `document.addEventListener('DOMContentLoaded', () => (document.querySelector('link[rel=icon]').href = 'none.svg'))`,
      )
      await page.goto('/')
      await page.locator(`link[rel=icon][href$="/${icon}"]`).waitFor({ state: 'attached' })
      await page.locator(`[data-health=${statuses[1]}]`).waitFor()
      assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), `/static/${icon}`)
    })
  }

  const openWith = async (system: (stats: Stats) => Stats, containers: readonly object[]) => {
    const page = await hub.openPage(admin)
    const change = (collection: string, changed: (stats: unknown) => unknown) =>
      page.route(`**/api/collections/${collection}/records?*`, async (route) => {
        const list = (await (await route.fetch()).json()) as StatsPage // a page of records
        await route.fulfill({ json: { ...list, items: list.items.map((item) => ({ ...item, stats: changed(item.stats) })) } })
      })
    await change('system_stats', (stats) => system(stats as Stats)) // an object of numbers and lists
    // A record of containers stands beside each of the system's.
    await page.route('**/api/collections/container_stats/records?*', async (route) => {
      const url = route.request().url().replace('container_stats', 'system_stats')
      const list = (await (await route.fetch({ url })).json()) as StatsPage // a page of records
      await route.fulfill({
        json: { ...list, items: containers.length === 0 ? [] : list.items.map((item) => ({ ...item, stats: containers })) },
      })
    })
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    return page
  }
  const without = (stats: Stats): Stats => Object.fromEntries(Object.entries(stats).filter(([key]) => !['s', 'su', 't'].includes(key)))
  const specified = (page: Page) =>
    Promise.all(
      Object.keys(meanings).map(async (title) =>
        (await page.getByRole('region', { name: title, exact: true }).count()) > 0 ? [title] : [],
      ),
    ).then((found) => found.flat())

  test('§2 charts: without containers, swap and temperatures there are the five that are always shown', async () => {
    const page = await openWith(without, [])
    assert.deepEqual(await specified(page), always)
    assert.equal(await page.title(), 'gauge / Vedette')
  })

  test('§2 charts: swap above 0, temperatures and containers bring theirs; each card says what it is', async () => {
    const containers = [{ n: 'web', c: 1.5, m: 120, ns: 0.5, nr: 1 }]
    const page = await openWith((stats) => ({ ...without(stats), s: 2, su: 0.5, t: { package: 51 } }), containers)
    for (const [title, meaning] of Object.entries(meanings)) {
      const card = page.getByRole('region', { name: title, exact: true })
      await card.getByRole('heading', { name: title, exact: true }).waitFor()
      await card.getByText(meaning, { exact: true }).waitFor()
    }
  })

  test('§2 charts: a swap of 0 is no swap', async () => {
    const page = await openWith((stats) => ({ ...without(stats), s: 0, su: 0 }), [])
    assert.deepEqual(await specified(page), always)
  })

  test('§3 container_stats: network is what was sent and received, and their sum', async () => {
    const page = await openWith((stats) => stats, [{ n: 'web', c: 1.5, m: 120, ns: 1, nr: 2 }])
    const card = page.getByRole('region', { name: 'Docker Network I/O', exact: true })
    await card.locator('canvas').waitFor()
    await card.getByRole('button', { name: /^web 3 MB\/s$/ }).waitFor()
    await card.getByRole('slider').focus()
    await page.keyboard.press('ArrowLeft')
    await card.getByText('↑ 1 MB/s ↓ 2 MB/s', { exact: true }).waitFor()
  })

  test('§9 lists: a page has 30 records unless it is asked for otherwise', async () => {
    const page = (await hub.send(admin, 'GET', SYSTEMS)) as { readonly perPage: number } // a page of records
    assert.equal(page.perPage, 30)
  })

  test('§7 real-time: the stream is opened, and its id sent with what is followed', async () => {
    const page = await hub.openPage(admin)
    const opened = page.waitForRequest((request) => request.url().endsWith('/api/realtime') && request.method() === 'GET')
    const sent = page.waitForRequest((request) => String(followedTopics(request)) === 'alerts/*,systems/*')
    await page.goto('/')
    assert.equal((await opened).resourceType(), 'eventsource')
    const body = (await sent).postDataJSON() as { readonly clientId: string } // as every client sends it
    assert.match(body.clientId, /^[\w-]{15,}$/)
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
