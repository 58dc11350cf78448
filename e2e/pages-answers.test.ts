import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Page } from 'playwright-core'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { auditPage } from './pages-audit.ts'
import { startLine } from './pages-line.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const SYSTEMS = '/api/collections/systems/records'
const LIST = `**${SYSTEMS}?*`
const HOUR_MS = 3_600_000
/** Step by which the page's clock is advanced. */
const RETRY_STEP_MS = 500
/** Limit of the page's cumulative layout shift (CLS). */
const MOST_SHIFT = 0.05
const ODD_NAMES = [`quote"s and 'more'`, '<img src=x onerror=alert(1)>', 'a/b/../c?d=e#f %2F', '💥 Ω ß', '....', '.', '..', 'status:down']

const largeMachine: Sample = {
  ...machineSample,
  cpu: { busyPercent: 12.5, coreBusyPercent: Array.from({ length: 64 }, (_, index) => index) },
  containers: Array.from({ length: 300 }, (_, index) => ({
    name: `box-${index}`,
    id: index.toString(16).padStart(12, '0'),
    cpuPercent: (index % 7) + 0.1,
    memoryBytes: index * 1024 ** 2,
    sentBytesPerSecond: index * 100,
    receivedBytesPerSecond: index,
  })),
}

type Listed = { readonly items: readonly { readonly id: string; readonly info: object }[] }

/** Every possible response of the hub, and no response: the page has a state for each. */
describe('responses of the hub', { timeout: 12 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  const isLive = (page: Page) => page.getByText('live', { exact: true }).waitFor()
  const linkTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const { port } = made.use(await sshAgent(key, () => largeMachine))
    await using events = await streamedEvents(hub.address, admin.token, ['systems/*'])
    const up = events.next((event) => event.includes('"name":"large"') && event.includes('"status":"up"'))
    await hub.addSystem(admin, { name: 'large', port })
    await up
  })

  after(() => made.disposeAsync())

  test('slow response: placeholders of the final size stay until it arrives', async () => {
    await using page = await hub.openPage(admin)
    const held = Promise.withResolvers<void>()
    // The hub's own response, delayed until the placeholders were visible.
    await page.route(LIST, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    await page.getByPlaceholder('Filter...').fill('gau')
    held.resolve()
    await linkTo(page, 'gauge').waitFor()
  })

  test('slow response on a phone: no card of a system moves when its values arrive', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 360, height: 780 } })
    await page.addInitScript(`(() => {
      window.shift = 0
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value))).observe({ type: 'layout-shift', buffered: true })
    })()`)
    const held = Promise.withResolvers<void>()
    // The hub's own response, delayed until the cards of the system are visible.
    await page.route('**/api/collections/container_stats/records?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/system/large')
    await page.getByRole('region', { name: 'Total CPU Usage', exact: true }).waitFor()
    held.resolve()
    await page.getByPlaceholder('Filter containers...').waitFor()
    await page.locator('canvas').first().waitFor()
    const shift = await page.evaluate<number>('new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(shift))))')
    assert.ok(shift <= MOST_SHIFT, `${shift}`)
  })

  for (const [what, answer, said] of [
    ['403', { status: 403, json: { status: 403, message: 'Only for others.', data: {} } }, 'Only for others.'],
    ['404', { status: 404, json: { status: 404, message: 'Missing collection context.', data: {} } }, 'Missing collection context.'],
    ['500', { status: 500, json: { status: 500, message: 'It went wrong.', data: {} } }, 'It went wrong.'],
    ['a 502 response of a proxy', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, ''],
    ['truncated JSON', { status: 200, contentType: 'application/json', body: '{"page":1,"items":[{"id":' }, ''],
    ['JSON without records', { status: 200, json: { hello: 'there' } }, ''],
  ] as const) {
    test(`${what} instead of the list of systems: the page shows an error, and a retry works`, async () => {
      await using page = await hub.openPage(admin)
      // A stream that opens would reload the list. A hub sends its list to every signed-in user: these responses are from proxies and other programs.
      await page.route('**/api/realtime', (route) => route.abort())
      await page.route(LIST, (route) => route.fulfill({ ...answer }))
      // The client retries after one and two seconds.
      await page.clock.install()
      await page.goto('/')
      const notice = page.getByRole('heading', { name: 'The systems could not be read' })
      while (!(await notice.isVisible())) await page.clock.runFor(RETRY_STEP_MS)
      if (said !== '') await page.getByText(said, { exact: true }).waitFor()
      await page.unroute(LIST)
      await page.getByRole('button', { name: 'Try again' }).click()
      await linkTo(page, 'gauge').waitFor()
    })
  }

  test('401 response: the page shows the login and says that the session has ended', async () => {
    const person = await hub.createUser('leaving@example.com', 'user')
    await using page = await hub.openPage(person)
    await page.goto('/')
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    hub.setPassword('leaving@example.com', 'another horse battery')
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByText('Please log in again', { exact: true }).first().waitFor()
  })

  test('lost connection: known values stay with their age until the page is connected again', async () => {
    await using line = await startLine(hub.address)
    await using page = await hub.openPage(admin, line.options(admin))
    await page.goto('/')
    await isLive(page)
    await linkTo(page, 'gauge').waitFor()
    await page.waitForLoadState('networkidle')
    line.cut()
    await page.getByText('reconnecting…', { exact: true }).waitFor()
    await page.getByText(/^last update .+ ago$/).waitFor()
    assert.equal(await linkTo(page, 'gauge').count(), 1)
    line.mend()
    await isLive(page)
  })

  test('page whose code cannot be loaded shows an error, and works after a reload', async () => {
    await using line = await startLine(hub.address)
    await using page = await hub.openPage(admin, line.options(admin))
    await page.goto('/')
    await isLive(page)
    await page.waitForLoadState('networkidle')
    line.cut()
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    const reload = page.getByRole('button', { name: 'Reload' })
    await reload.waitFor()
    await page.mouse.move(0, 0)
    await auditPage(page, 'a page that could not be loaded')
    line.mend()
    await reload.click()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  })

  test('page of a system that is deleted in another tab says so and links back', async () => {
    const id = await hub.addSystem(admin, { name: 'doomed', port: await freePort() })
    await using page = await hub.openPage(admin)
    await page.goto('/system/doomed')
    await isLive(page)
    await hub.send(admin, 'DELETE', `${SYSTEMS}/${id}`)
    await page
      .getByRole('heading', { name: /doomed/ })
      .getByText(/There is no system/)
      .or(page.getByRole('heading', { name: /no system.*doomed/i }))
      .first()
      .waitFor()
    await page.getByRole('main').getByRole('link', { name: 'All Systems' }).click()
    await linkTo(page, 'gauge').waitFor()
  })

  test('odd names are text everywhere: in the list, the address, the palette, the page and its title', async () => {
    for (const name of ODD_NAMES) await hub.addSystem(admin, { name, port: await freePort() })
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await isLive(page)
    // Rows change places while the hub detects that the new systems are down, but their addresses do not change.
    const addresses = await Promise.all(ODD_NAMES.map((name) => linkTo(page, name).getAttribute('href')))
    const isOpen = async (name: string) => {
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      assert.equal(await page.title(), `${name} / Vedette`)
    }
    for (const [index, name] of ODD_NAMES.entries()) {
      await page.goto(addresses[index] ?? '')
      await isOpen(name)
      const other = ODD_NAMES.at(index - 1) ?? ''
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search for systems or pages...').fill(other)
      const option = page.getByRole('option').filter({ has: page.getByText(other, { exact: true }) })
      await option.click()
      await isOpen(other)
    }
    assert.equal(await page.locator('img').count(), 0)
  })

  test('page in a browser whose clock is an hour off shows the same as other browsers', async () => {
    for (const offMs of [HOUR_MS, -HOUR_MS]) {
      await using page = await hub.openPage(admin)
      await page.clock.install({ time: Date.now() + offMs })
      await page.goto('/')
      await page.locator('[data-health=up]').first().waitFor()
      assert.equal(await page.locator('[data-health=stale]').count(), 0)
      await page.goto('/system/gauge')
      const card = page.getByRole('region', { name: 'Total Memory Usage', exact: true })
      await card.locator('canvas').waitFor()
      const seen = page.getByText(/^seen /)
      assert.match((await seen.textContent()) ?? '', /^seen \d+ (?:sec|min)\. ago$/)
    }
  })

  test('page of 300 containers and 64 cores draws every chart, with a collapsed legend and a short tooltip', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/large')
    const card = page.getByRole('region', { name: 'Docker CPU Usage', exact: true })
    await card.locator('canvas').waitFor()
    // The default is 20 containers by name, and the sum of the others.
    await card.getByRole('button', { name: '15 more' }).waitFor()
    await card.getByRole('button', { name: 'All', exact: true }).click()
    await card.getByRole('button', { name: '294 more' }).waitFor()
    const box = await card.locator('canvas').boundingBox()
    assert.ok(box !== null)
    await card.getByRole('slider').focus()
    await page.keyboard.press('ArrowLeft')
    await card.getByText('+288', { exact: true }).waitFor()
    await page.getByPlaceholder('Filter containers...').fill('box-29')
    await card.getByRole('button', { name: '5 more' }).waitFor()
    const cores = page.getByRole('region', { name: 'Cores', exact: true })
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    await cores.scrollIntoViewIfNeeded()
    await cores.locator('canvas').waitFor()
    await cores.getByRole('button', { name: /^\d+ more$/ }).waitFor()
  })

  test('content security policy blocks inline and external scripts, and the page works with it', async () => {
    await using page = await hub.openPage(admin)
    const answered = page.waitForResponse((response) => response.request().resourceType() === 'document')
    await page.goto('/')
    const policy = (await answered).headers()['content-security-policy'] ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
    assert.equal(scripts, "'self'")
    for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'self'", "frame-ancestors 'self'"])
      assert.ok(policy.includes(part), policy)
    assert.equal(await page.locator('script:not([src])').count(), 0)
    await isLive(page)
    const ran = await page.evaluate<string>(`new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective), { once: true })
      const script = document.createElement('script')
      script.textContent = 'window.wasRun = true'
      document.head.append(script)
    })`)
    assert.match(ran, /^script-src/)
    assert.equal(await page.evaluate('window.wasRun'), undefined)
  })

  test('page at 400 % zoom has no horizontal scrolling', async () => {
    // A window of 1280 pixels at 400 % zoom is as wide as a window of 320 pixels.
    await using page = await hub.openPage(admin, { viewport: { width: 320, height: 256 } })
    for (const path of ['/', '/system/gauge', '/settings']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0, path)
    }
  })

  test('page with reduced motion has no endless animation', async () => {
    await using page = await hub.openPage(admin, { reducedMotion: 'reduce' })
    await page.goto('/')
    await page.locator('[data-health=up]').first().waitFor()
    await isLive(page)
    const moving = `document.getAnimations().filter(({ effect, playState }) => playState === 'running' && effect.getComputedTiming().iterations === Infinity).length`
    assert.equal(await page.evaluate(moving), 0)
  })

  test('live regions announce changes of status, but not of values', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.locator('[data-health=up]').first().waitFor()
    await isLive(page)
    const list = (await hub.send(admin, 'GET', `${SYSTEMS}?filter=name%3D"gauge"`)) as Listed // a page of records
    const [gauge] = list.items
    assert.ok(gauge !== undefined)
    await page.evaluate(`void (() => {
      window.told = []
      const live = '[aria-live], output, [role=status], [role=alert], [role=log]'
      new MutationObserver((changes) => changes.forEach(({ target }) => {
        const region = (target instanceof Element ? target : target.parentElement).closest(live)
        if (region && !region.closest('[aria-hidden=true]')) told.push(region.textContent)
      })).observe(document.body, { subtree: true, childList: true, characterData: true })
    })()`)
    await hub.send(admin, 'PATCH', `${SYSTEMS}/${gauge.id}`, { info: { ...gauge.info, cpu: 73.5 } })
    await page.getByText('73.5 %').first().waitFor()
    assert.deepEqual(await page.evaluate('told'), [])
    await hub.send(admin, 'PATCH', `${SYSTEMS}/${gauge.id}`, { status: 'paused' })
    await page.locator('[data-health=paused]').waitFor()
    const told = await page.evaluate<readonly string[]>('told')
    assert.ok(
      told.some((text) => /1\s*paused/i.test(text)),
      JSON.stringify(told),
    )
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
