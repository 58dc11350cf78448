import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { behavingSshAgent, machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { followedTopics, startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'
import { freePort } from '../tools/free-port.ts'

const SYSTEMS = '/api/collections/systems/records'

/** The ten charts with their descriptions. */
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

/** Samples of the agents, by system name. */
const machines = {
  bare: machineSample,
  swapless: { ...machineSample, swap: { totalBytes: 0, usedBytes: 0 } },
  rich: richMachine,
}

/** Rows of the specification that depend on the state of systems. */
describe('rows of the specification', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  const ids: { [name: string]: string; mute: string; other: string } = { mute: '', other: '' }

  const loadedScripts = (page: Page) => {
    const names: string[] = []
    page.on('request', (request) => {
      const [, name] = /\/assets\/(.+)-[\w-]{8}\.js$/.exec(new URL(request.url()).pathname) ?? []
      if (name !== undefined) names.push(name)
    })
    return names
  }

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    for (const [name, sample] of Object.entries(machines)) {
      const { port } = made.use(await sshAgent(key, () => sample))
      ids[name] = await hub.addSystem(admin, { name, port })
    }
    const { port } = made.use(await behavingSshAgent(key, { behave: () => {} }))
    ids.mute = await hub.addSystem(admin, { name: 'mute', port })
    await setStatus([ids.mute], 'paused')
    ids.other = await hub.addSystem(admin, { name: 'other', port: await freePort() })
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await waitUntil(page, `document.querySelectorAll('[data-health=up]').length === ${Object.keys(machines).length}`)
  })

  after(() => made.disposeAsync())

  test('§2 login: it is loaded on demand, by who is not signed in alone', async () => {
    await using page = await hub.openPage()
    const loaded = loadedScripts(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.ok(loaded.includes('login-page'), loaded.join())
    assert.ok(!loaded.includes('fleet-page'), loaded.join())
    await using signedIn = await hub.openPage(admin)
    const others = loadedScripts(signedIn)
    await signedIn.goto('/')
    await signedIn.getByRole('row').first().waitFor()
    assert.ok(!others.includes('login-page'), others.join())
  })

  test('§2 dashboard: the systems table is loaded with All Systems, not before', async () => {
    await using page = await hub.openPage(admin)
    const loaded = loadedScripts(page)
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: '404' }).waitFor()
    assert.ok(!loaded.includes('fleet-page'), loaded.join())
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('row').first().waitFor()
    assert.ok(loaded.includes('fleet-page'), loaded.join())
  })

  test('§2 dashboard: without a known version there is no footer text', async () => {
    await using page = await hub.openPage(admin)
    // This hub always sends its version; other hubs omit it.
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

  const openOf = async (name: string) => {
    const page = await hub.openPage(admin)
    await page.goto(`/system/${name}`)
    await page.locator('canvas').first().waitFor()
    return page
  }
  const specified = (page: Page) =>
    Promise.all(
      Object.keys(meanings).map(async (title) =>
        (await page.getByRole('region', { name: title, exact: true }).count()) > 0 ? [title] : [],
      ),
    ).then((found) => found.flat())

  test('§2 charts: without containers, swap and temperatures there are the five that are always shown', async () => {
    await using page = await openOf('bare')
    assert.deepEqual(await specified(page), always)
    assert.equal(await page.title(), 'bare / Vedette')
  })

  test('§2 charts: swap above 0, temperatures and containers bring theirs; each card says what it is', async () => {
    await using page = await openOf('rich')
    for (const [title, meaning] of Object.entries(meanings)) {
      const card = page.getByRole('region', { name: title, exact: true })
      await card.getByRole('heading', { name: title, exact: true }).waitFor()
      await card.getByText(meaning, { exact: true }).waitFor()
    }
  })

  test('§2 charts: a swap of 0 is not a swap', async () => {
    await using page = await openOf('swapless')
    assert.deepEqual(await specified(page), always)
  })

  test('§3 container_stats: network is what was sent and received, and their sum', async () => {
    await using page = await openOf('rich')
    const card = page.getByRole('region', { name: 'Docker Network I/O', exact: true })
    await card.scrollIntoViewIfNeeded()
    await card.locator('canvas').waitFor()
    await card.getByRole('button', { name: /^web 3 MB\/s$/ }).waitFor()
    await card.getByRole('slider').focus()
    await page.keyboard.press('ArrowLeft')
    await card.getByText('↑ 1 MB/s ↓ 2 MB/s', { exact: true }).first().waitFor()
  })

  test('§9 lists: a page has 30 records unless it is asked for otherwise', async () => {
    const page = (await hub.send(admin, 'GET', SYSTEMS)) as { readonly perPage: number } // a page of records
    assert.equal(page.perPage, 30)
  })

  test('§7 real-time: the stream is opened, and its id sent with what is followed', async () => {
    await using page = await hub.openPage(admin)
    const opened = page.waitForRequest((request) => request.url().endsWith('/api/realtime') && request.method() === 'GET')
    const sent = page.waitForRequest((request) => String(followedTopics(request)) === 'alerts/*,systems/*')
    await page.goto('/')
    assert.equal((await opened).resourceType(), 'eventsource')
    const body = (await sent).postDataJSON() as { readonly clientId: string } // as every client sends it
    assert.match(body.clientId, /^[\w-]{15,}$/)
  })

  test("page of a system names readings older than its sample, and draws a GPU's share of system memory separately", async () => {
    await using page = await openOf('rich')
    await page.getByText(/^Old readings: Containers \d min\. ago$/).waitFor()
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    const memory = page.getByRole('region', { name: 'GPU 0: memory', exact: true })
    await memory.scrollIntoViewIfNeeded()
    await memory.getByRole('button', { name: /^used 0\.5 GB$/ }).waitFor()
    await memory.getByRole('button', { name: /^of the machine \(GTT\) 2 GB$/ }).waitFor()
    await page.goto('/system/bare')
    await page.locator('canvas').first().waitFor()
    assert.equal(await page.getByText(/^Old readings/).count(), 0)
  })

  const openList = async () => {
    const page = await hub.openPage(admin)
    // The icon starts as the default, so the test first replaces it by another.
    await page.addInitScript(
      `document.addEventListener('DOMContentLoaded', () => (document.querySelector('link[rel=icon]').href = 'none.svg'))`,
    )
    await page.goto('/')
    return page
  }
  const setStatus = (ids: readonly string[], status: string) =>
    Promise.all(ids.map((id) => hub.send(admin, 'PATCH', `${SYSTEMS}/${id}`, { status })))
  const hasIcon = async (page: Page, icon: string) => {
    await page.locator(`link[rel=icon][href$="/${icon}"]`).waitFor({ state: 'attached' })
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), `/static/${icon}`)
  }

  test('§2 browser icon: with systems up and down it is favicon-red.svg', async () => {
    await using page = await openList()
    await page.locator('[data-health=down]').waitFor()
    await hasIcon(page, 'favicon-red.svg')
  })

  test('§2 browser icon: with systems up and paused it is favicon-green.svg', async () => {
    await setStatus([ids.other], 'paused')
    await using page = await openList()
    await page.locator('[data-health=paused]').first().waitFor()
    await hasIcon(page, 'favicon-green.svg')
  })

  test('§2 browser icon: with systems paused and pending it is favicon.svg', async () => {
    await setStatus(Object.values(ids), 'paused')
    await using page = await openList()
    await waitUntil(page, `document.querySelectorAll('[data-health=paused]').length === ${Object.keys(ids).length}`)
    await hasIcon(page, 'favicon.svg')
    // The agent of this system does not respond. The hub retries three times before it shows that.
    await setStatus([ids.mute], 'pending')
    await page.locator('[data-health=pending]').waitFor()
    await hasIcon(page, 'favicon.svg')
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
