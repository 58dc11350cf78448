import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const collections = ['container_stats', 'system_stats'] as const

/** Time ranges of the specification: label of the button, record type, and length of the range. */
const ranges = [
  { label: '1h', name: '1 hour', type: '1m', spanMs: HOUR_MS },
  { label: '12h', name: '12 hours', type: '10m', spanMs: 12 * HOUR_MS },
  { label: '24h', name: '24 hours', type: '20m', spanMs: DAY_MS },
  { label: '1w', name: '1 week', type: '120m', spanMs: 7 * DAY_MS },
  { label: '30d', name: '30 days', type: '480m', spanMs: 30 * DAY_MS },
] as const

const always = ['Total CPU Usage', 'Total Memory Usage', 'Disk Usage', 'Disk I/O', 'Bandwidth']

describe('the page of a system', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let id: string

  const openSystem = async (path = '/system/gauge') => {
    const page = await hub.openPage(admin)
    await page.goto(path)
    await page.locator('canvas').first().waitFor()
    return page
  }
  const rangeButton = (page: Page, label: string) => page.getByRole('group', { name: 'Time range' }).getByText(label, { exact: true })
  const isStats = (request: Request, collection: string): boolean =>
    new URL(request.url()).pathname === `/api/collections/${collection}/records`

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const { port } = made.use(await sshAgent(key, () => richMachine))
    await hub.addSystem(admin, { name: 'rich', port })
    id = await hub.watchMachine(admin, 'gauge')
  })

  after(() => made.disposeAsync())

  test('§2 system page: name, status, host, uptime, and the processor with its cores and threads', async () => {
    await using page = await openSystem()
    await page.getByRole('heading', { name: 'gauge', exact: true }).waitFor()
    const main = page.getByRole('main')
    await main.getByRole('status').filter({ hasText: /^Up$/ }).waitFor()
    await main.getByText('127.0.0.1', { exact: true }).waitFor()
    const cpu = /^model name\s*:\s*(.+)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? ''
    const facts = (await main.getByText(/\d+ cores?, \d+ threads?\)/).textContent()) ?? ''
    assert.ok(facts.startsWith(cpu), facts)
  })

  test('§9 uptime: in hours below 172800 s, in days from then on, truncated', async () => {
    await using page = await openSystem()
    const shown = (await page.locator('[data-tooltip=Uptime]').textContent()) ?? ''
    const seconds = Number(readFileSync('/proc/uptime', 'utf8').split('.')[0])
    // The uptime is a few minutes longer than in the sample.
    const worded = [seconds, seconds - MINUTE_MS / 1000].map((one) => {
      const [count, unit] = one < 172_800 ? [Math.floor(one / 3600), 'hour'] : [Math.floor(one / 86_400), 'day']
      return `up ${count} ${unit}${count === 1 ? '' : 's'}`
    })
    assert.ok(worded.includes(shown.trim()), `${shown} is not one of ${worded.join(', ')}`)
  })

  for (const { label, name, type, spanMs } of ranges) {
    test(`§7 stats: ${name} asks for both collections at once, by exactly the specified calls`, async () => {
      await using page = await hub.openPage(admin)
      // Both requests are delayed until both have arrived.
      const asked = collections.map((collection) => page.waitForRequest((request) => isStats(request, collection)))
      await page.route('**/api/collections/*_stats/records?*', async (route) => {
        await Promise.all(asked)
        await route.continue()
      })
      const from = Date.now()
      await page.goto(`/system/gauge?range=${label}`)
      for (const request of await Promise.all(asked)) {
        const { filter, ...rest } = Object.fromEntries(new URL(request.url()).searchParams)
        assert.deepEqual(rest, { page: '1', perPage: '500', skipTotal: '1', fields: 'created,stats', sort: 'created' })
        const [, system, since, of] = /^system="(\w+)" && created > "(.+)" && type="(\w+)"$/.exec(filter ?? '') ?? []
        assert.deepEqual([system, of], [id, type], `asked for ${filter}`)
        const sinceMs = Date.parse(since?.replace(' ', 'T') ?? '')
        assert.ok(sinceMs >= from - spanMs - 1000 && sinceMs <= Date.now() - spanMs, `${since} for ${name}`)
      }
      await page.getByRole('button', { name: `${label}, ${name}`, exact: true, pressed: true }).waitFor()
      // The system is new. A range without buckets shows the minutes instead.
      await page.locator('canvas').first().waitFor()
    })
  }

  test('§4 time range: a change clears every chart until the new data is there', async () => {
    await using page = await openSystem()
    const held = Promise.withResolvers<void>()
    // The hub's own responses, delayed until the empty charts were visible.
    for (const stats of ['**/api/collections/*_stats/records?*', '**/api/history/**']) {
      await page.route(stats, async (route) => {
        await held.promise
        await route.continue()
      })
    }
    await rangeButton(page, '24h').click()
    await page.getByRole('region', { name: 'Total CPU Usage' }).and(page.locator('[aria-busy=true]')).waitFor()
    assert.equal(await page.locator('canvas').count(), 0)
    const charts = page.getByRole('main').getByRole('region')
    assert.ok((await charts.count()) >= always.length)
    // The notes of the system do not depend on the time range.
    assert.equal(await charts.and(page.locator(':not([aria-busy=true], [aria-label=Notes])')).count(), 0)
    held.resolve()
    await page.locator('canvas').first().waitFor()
  })

  test('§4 time range: leaving the page resets it, Back brings it back', async () => {
    await using page = await openSystem()
    await rangeButton(page, '1w').click()
    await page.waitForURL(/range=1w/)
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('link', { name: 'gauge', exact: true }).click()
    await page.getByRole('button', { name: '1h, 1 hour', pressed: true }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.goBack()
    await page.goBack()
    await page.getByRole('button', { name: '1w, 1 week', pressed: true }).waitFor()
  })

  test('§2 charts: each is a titled card, drawn when it is scrolled into view', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 800, height: 400 } })
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    for (const title of always) await page.getByRole('region', { name: title, exact: true }).waitFor()
    const last = page.getByRole('region', { name: 'Bandwidth', exact: true })
    assert.equal(await last.locator('canvas').count(), 0)
    await last.scrollIntoViewIfNeeded()
    await last.locator('canvas').waitFor()
  })

  test('§8 stats fetch fails: that set is not shown and one line offers to try again; the other set stays', async () => {
    await using page = await hub.openPage(admin)
    const withBadSort = (collection: string) => `**/api/collections/${collection}/records?*`
    // The test adds a sort order that the hub refuses, so that the error response is real.
    const spoil = (collection: string) =>
      page.route(withBadSort(collection), (route) => route.continue({ url: route.request().url().replace('sort=created', 'sort=%40') }))
    await spoil('system_stats')
    await page.goto('/system/gauge')
    const failed = page.getByText("The system's charts could not be read.")
    await failed.waitFor()
    // Placeholders stay until the other set arrives.
    await page.getByRole('region', { name: 'Total CPU Usage' }).waitFor({ state: 'detached' })
    await page.unroute(withBadSort('system_stats'))
    // On a busy machine the refresh of the next minute may come first and remove the button.
    await Promise.race([page.getByRole('button', { name: 'Try again' }).click(), failed.waitFor({ state: 'detached' })])
    // The further charts may already be drawn; these are the missing ones.
    await failed.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Total CPU Usage' }).locator('canvas').waitFor()
    await spoil('container_stats')
    await page.reload()
    await page.getByText('The container charts could not be read.').waitFor()
    await page.locator('canvas').first().waitFor()
    for (const title of always) await page.getByRole('region', { name: title, exact: true }).waitFor()
    for (const title of always) assert.equal(await page.getByRole('region', { name: title, exact: true }).count(), 1, title)
  })

  test('§7 stats: a set that takes another try keeps nobody waiting for the other, and comes beside it', async () => {
    await using page = await hub.openPage(admin)
    const again = Promise.withResolvers<void>()
    let tries = 0
    await page.route('**/api/collections/container_stats/records?*', async (route) => {
      tries++
      // The hub would not fail only once: the test aborts the first request and delays the second until the other set was visible.
      if (tries === 1) return route.abort()
      await again.promise
      return route.continue()
    })
    await page.goto('/system/rich')
    await page.getByRole('region', { name: 'Total CPU Usage', exact: true }).locator('canvas').waitFor()
    assert.equal(await page.getByRole('region', { name: 'Docker CPU Usage', exact: true }).count(), 0)
    again.resolve()
    await page.getByRole('region', { name: 'Docker CPU Usage', exact: true }).locator('canvas').waitFor()
  })

  test('further charts: they load in groups when the user scrolls to them', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 800, height: 400 } })
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.startsWith('/api/history/')) asked.push(searchParams.get('kind') ?? '')
    })
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    assert.deepEqual(asked, [])
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    const processor = page.getByRole('region', { name: 'Processor and pressure', exact: true })
    await processor.getByRole('region', { name: 'Load average', exact: true }).waitFor()
    assert.deepEqual(asked.toSorted(), ['disks', 'gpus', 'interfaces', 'sensors', 'system'])
    const cores = processor.getByRole('region', { name: 'Cores', exact: true })
    await cores.scrollIntoViewIfNeeded()
    await cores.locator('canvas').waitFor()
    const lines = await cores
      .getByRole('button', { pressed: true })
      .filter({ hasText: /^Core \d+/ })
      .count()
    const known = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor\s*:/gm)?.length ?? 0
    assert.equal(lines, Math.min(known, 6), 'a legend shows the first six')
    // The system is new. A range without buckets shows the minutes instead.
    await rangeButton(page, '30d').click()
    await page.waitForURL(/range=30d/)
    await processor.getByRole('region', { name: 'Load average' }).and(page.locator('[aria-busy=false]')).waitFor()
  })

  test('further charts: an error line offers a retry when they cannot be read', async () => {
    await using page = await hub.openPage(admin)
    // The test adds a number of points that the hub refuses, so that the error response is real.
    await page.route('**/api/history/**', (route) => route.continue({ url: route.request().url().replace('points=', 'points=x') }))
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    await page.getByText('The further charts could not be read.').waitFor()
    await page.unroute('**/api/history/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Load average', exact: true }).waitFor()
  })

  test("diagnostics dialog shows the agent's findings; a user with the readonly role has no button for it", async () => {
    await using page = await openSystem()
    await page.getByRole('button', { name: 'Run agent diagnostics' }).click()
    const dialog = page.getByRole('dialog', { name: 'Diagnostics of the agent on gauge' })
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /^cpu ?works/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const reader = await hub.createUser('reader@example.com', 'readonly')
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { 'users+': reader.record.id })
    await using other = await hub.openPage(reader)
    await other.goto('/system/gauge')
    await other.locator('canvas').first().waitFor()
    await other.getByRole('region', { name: 'Load average', exact: true }).waitFor()
    assert.equal(await other.getByText('Missing a metric?').count(), 0)
  })

  test('§4 detail page: each update replaces the record', async () => {
    await using page = await openSystem()
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'paused' })
    await page.getByRole('main').locator('[data-status=paused]').waitFor()
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'pending' })
    await page.getByRole('main').locator('[data-status=up]').waitFor()
  })

  test('older response that arrives after an event does not undo the event', async () => {
    await using page = await hub.openPage(admin)
    const isMade = Promise.withResolvers<void>()
    const isUndone = Promise.withResolvers<void>()
    const isOfOne = (url: URL) =>
      url.pathname === '/api/collections/systems/records' && url.searchParams.get('filter')?.includes(id) === true
    await page.route(isOfOne, async (route) => {
      const response = await route.fetch()
      isMade.resolve()
      await isUndone.promise
      await route.fulfill({ response })
    })
    await page.goto('/system/gauge')
    await isMade.promise
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'paused' })
    const status = page.getByRole('main').locator('[data-status]')
    await page.getByRole('main').locator('[data-status=paused]').waitFor()
    const late = page.waitForResponse((response) => isOfOne(new URL(response.url())))
    isUndone.resolve()
    await (await late).finished()
    // The page has handled the response when its next request completes.
    await page.evaluate(`fetch('/api/health').then((response) => response.text())`)
    assert.equal(await status.first().getAttribute('data-status'), 'paused')
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'pending' })
    await page.getByRole('main').locator('[data-status=up]').waitFor()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
