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
/** Limit of the page's cumulative layout shift. */
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
describe('answers', { timeout: 12 * STEP_MS }, () => {
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

  test('a slow one: outlines of the final size stand there until it comes', async () => {
    await using page = await hub.openPage(admin)
    const held = Promise.withResolvers<void>()
    // The hub's own response, held until the outlines were seen: no hub is slow for just so long.
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

  test('a slow one on a phone: no card of a system moves when its numbers come', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 360, height: 780 } })
    await page.addInitScript(`(() => {
      window.shift = 0
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value))).observe({ type: 'layout-shift', buffered: true })
    })()`)
    const held = Promise.withResolvers<void>()
    // The hub's own response, held until the cards of the system stand there.
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
    ['a 502 of a proxy', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }, ''],
    ['JSON that is cut short', { status: 200, contentType: 'application/json', body: '{"page":1,"items":[{"id":' }, ''],
    ['an answer of another shape', { status: 200, json: { hello: 'there' } }, ''],
  ] as const) {
    test(`${what} instead of the systems: it is said, and trying again helps`, async () => {
      await using page = await hub.openPage(admin)
      // A stream that opens would reload the list. A hub sends its list to every signed-in user: these responses are from proxies and other programs.
      await page.route('**/api/realtime', (route) => route.abort())
      await page.route(LIST, (route) => route.fulfill({ ...answer }))
      // It is tried again after one second, and after two.
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

  test('401 in the middle: the session has ended elsewhere, and the login says so', async () => {
    const person = await hub.createUser('leaving@example.com', 'user')
    await using page = await hub.openPage(person)
    await page.goto('/')
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    hub.setPassword('leaving@example.com', 'another horse battery')
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByText('Please log in again', { exact: true }).first().waitFor()
  })

  test('none, then again one: what is known stays, with its age, until the line is mended', async () => {
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

  test('a page whose code does not come is said to be broken, and is there once it is loaded anew', async () => {
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

  test('a system that is deleted in another tab: its page says so and leads back', async () => {
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
    // Rows change places while the new systems are found to be down: their addresses stay.
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

  test('a browser whose clock is an hour off, either way, shows what every other shows', async () => {
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

  test('300 containers and 64 cores: every chart is drawn, its legend folded, its tooltip short', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/large')
    const card = page.getByRole('region', { name: 'Docker CPU Usage', exact: true })
    await card.locator('canvas').waitFor()
    // 20 by name and the sum of the others, until somebody chooses.
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

  test('a policy keeps scripts from elsewhere, in the page and from strings, and the page works under it', async () => {
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

  test('at 400 % a page is one column that scrolls one way', async () => {
    // A window of 1280 pixels at 400 % has the width of one of 320.
    await using page = await hub.openPage(admin, { viewport: { width: 320, height: 256 } })
    for (const path of ['/', '/system/gauge', '/settings']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      assert.equal(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'), 0, path)
    }
  })

  test('with reduced motion nothing moves by itself', async () => {
    await using page = await hub.openPage(admin, { reducedMotion: 'reduce' })
    await page.goto('/')
    await page.locator('[data-health=up]').first().waitFor()
    await isLive(page)
    const moving = `document.getAnimations().filter(({ effect, playState }) => playState === 'running' && effect.getComputedTiming().iterations === Infinity).length`
    assert.equal(await page.evaluate(moving), 0)
  })

  test('a screen reader is told of changes of status, not of every number', async () => {
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
