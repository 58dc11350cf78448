import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, until, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

/** Whether a request is one that follows, or stops following, what a system measures each second. */
function followsMeasurements(request: Request, isFollowing: boolean): boolean {
  if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/api/realtime') return false
  const { subscriptions } = request.postDataJSON() as { readonly subscriptions: readonly string[] } // as every client sends it
  return subscriptions.some((topic) => topic.startsWith('rt_metrics')) === isFollowing
}

describe('live values', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const liveButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Live', exact: true })
  const points = (page: Page, count: number) =>
    until(
      page,
      `[...document.querySelectorAll('[aria-label="Total CPU Usage"] [role=slider]')].some((one) => Number(one.ariaValueMax) + 1 >= ${count})`,
    )

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
    await hub.addSystem(admin, { name: 'mute', port: await freePort() })
  })

  after(() => hub[Symbol.asyncDispose]())

  test('a point a second while it is on and the page is open; the address holds it; a range ends it', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    const following = page.waitForRequest((request) => followsMeasurements(request, true))
    await liveButton(page).click()
    await following
    await page.waitForURL(/live=1/)
    await points(page, 4)
    // The button's tooltip goes with the pointer.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await auditPage(page, 'live values')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await points(page, 2)
    const left = page.waitForRequest((request) => followsMeasurements(request, false))
    await page.getByRole('group', { name: 'Time range' }).getByText('12h', { exact: true }).click()
    await left
    assert.equal(new URL(page.url()).search, '?range=12h')
    await liveButton(page).and(page.locator('[aria-pressed=false]')).waitFor()
    await page.locator('canvas').first().waitFor()
  })

  test('they end with the page that showed them', async () => {
    await using page = await hub.openPage(admin)
    const following = page.waitForRequest((request) => followsMeasurements(request, true))
    await page.goto('/system/gauge?live=1')
    await following
    await points(page, 2)
    const left = page.waitForRequest((request) => followsMeasurements(request, false))
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await left
  })

  test('a system that does not answer is said to be waited for', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/mute?live=1')
    await page.getByText('waiting for the agent…', { exact: true }).waitFor()
  })

  test('a refusal is said', async () => {
    await using page = await hub.openPage(admin)
    // A page never requests a system without access; a user who loses access loses the page as well.
    await page.route('**/api/realtime', (route) =>
      route.request().method() === 'POST' && followsMeasurements(route.request(), true)
        ? route.fulfill({ status: 403, json: { status: 403, message: 'Not for you.', data: {} } })
        : route.continue(),
    )
    await page.goto('/system/gauge')
    await page.getByText('live', { exact: true }).waitFor()
    await liveButton(page).click()
    await page.getByText('No live values: Not for you.', { exact: true }).waitFor()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
