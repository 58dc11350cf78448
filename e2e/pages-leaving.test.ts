import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

/** URLs that only the page of a system requests. */
const SYSTEM_PAGE_REQUESTS = /\/api\/history\/|\/events\?|\/(?:container_stats|containers|systemd_services|smart_devices)\/records/

/** URLs that return the data of a time window. */
const PANNED_REQUESTS = /\/api\/history\/|\/events\?|\/incidents\?/
/** Charts of the host and of containers, five kinds of further charts, events and alerts. */
const STEP_REQUESTS = 9

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Counts, in the page, the requests that are still pending. */
const countRunning = `(() => {
  window.running = []
  const { fetch } = window
  window.fetch = async (url, options) => {
    const entry = String(url)
    running.push(entry)
    try {
      return await fetch(url, options)
    } finally {
      running.splice(running.indexOf(entry), 1)
    }
  }
})()`

const rangeButton = (page: Page, label: string) => page.getByRole('group', { name: 'Time range' }).getByText(label, { exact: true })

describe('page that the user leaves', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  /** Opens the page while the hub does not respond to requests with matching URLs. */
  const openHeld = async (held: RegExp) => {
    const page = await hub.openPage(admin)
    await page.addInitScript(countRunning)
    await page.route(held, () => undefined)
    await page.goto('/system/gauge')
    return page
  }
  const running = async (page: Page, pattern: RegExp) => (await page.evaluate<string[]>('running')).filter((url) => pattern.test(url))
  const drawn = (page: Page) => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  test('page of a system cancels all its requests when the user opens All Systems', async () => {
    await using page = await openHeld(SYSTEM_PAGE_REQUESTS)
    await waitUntil(page, `running.filter((url) => url.includes('/api/history/')).length > 0`)
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('link', { name: 'gauge', exact: true }).waitFor()
    await drawn(page)
    assert.deepEqual(await running(page, SYSTEM_PAGE_REQUESTS), [])
  })

  test('page of a system cancels the requests of a time range when the user selects another', async () => {
    await using page = await openHeld(/system_stats\/records.*20m/)
    await page.locator('canvas').first().waitFor()
    await rangeButton(page, '24h').click()
    await waitUntil(page, `running.some((url) => url.includes('20m'))`)
    await rangeButton(page, '1h').click()
    await page.locator('canvas').first().waitFor()
    await drawn(page)
    assert.deepEqual(await running(page, /20m/), [])
  })

  test('page of a system cancels the requests of each earlier window while the user pans', async () => {
    await using page = await hub.openPage(admin)
    await page.addInitScript(countRunning)
    // No data exists for that time, so the further charts are in view at once.
    const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 24 * HOUR_MS
    await page.goto(`/system/gauge?from=${toMs - HOUR_MS}&to=${toMs}`)
    await page.getByText('No data in this window').first().waitFor()
    await page.mouse.wheel(0, 20_000)
    const held: Route[] = []
    await page.route(PANNED_REQUESTS, (route) => void held.push(route))
    for (let step = 1; step <= 4; step++) {
      await page.getByRole('button', { name: 'Earlier' }).click()
      const begin = toMs - HOUR_MS - (step * HOUR_MS) / 2
      await page.waitForURL(new RegExp(`from=${begin}&`))
      await waitUntil(
        page,
        `running.filter((url) => ${PANNED_REQUESTS}.test(url) && url.includes('from=${begin}&')).length === ${STEP_REQUESTS}`,
      )
      await drawn(page)
      const left = (await running(page, PANNED_REQUESTS)).filter((url) => !url.includes(`from=${begin}&`))
      assert.deepEqual(left, [], `step ${step}`)
    }
    await page.unroute(PANNED_REQUESTS)
    await Promise.all(held.map((route) => route.continue().catch(() => undefined)))
    await waitUntil(page, `!running.some((url) => ${PANNED_REQUESTS}.test(url))`)
    assert.deepEqual(hub.pageErrors, [])
  })
})
