import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { answering, behavingSshAgent, documentReply, machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const HOUR_AGO_MS = NOW_MS - 60 * MINUTE_MS
/** More cards than a phone shows before and after a scroll, including those drawn just outside the screen. */
const OTHERS = 60
const SETTLE_MS = 400

const at = (percent: number): Sample => ({ ...machineSample, cpu: { busyPercent: percent } })

describe('cards of All Systems on a phone', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let unread: string

  before(async () => {
    hub = made.use(
      await startPagesHub({
        clock: standingClock(NOW_MS),
        async prepare(stores) {
          const behave = answering(() => documentReply(at(40)))
          const { port } = made.use(await behavingSshAgent(stores.key.publicLine, { behave }))
          const minutes = moments(HOUR_AGO_MS + MINUTE_MS, NOW_MS, MINUTE_MS)
          const samples = minutes.map((atMs, index) => ({ atMs, sample: at(index) }))
          const add = (name: string, past: typeof samples) => addPastSystem(stores, { name, port, samples: past })
          await add('a-whole', samples)
          await add('b-gap', [...samples.slice(0, 20), ...samples.slice(40)])
          unread = await add('c-unread', [])
          for (let index = 0; index < OTHERS; index++) await add(`other-${index}`, [])
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (width: number) => {
    const page = await hub.openPage(admin, { viewport: { width, height: 780 }, hasTouch: true, isMobile: true })
    const read: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/system_stats/records')) read.push(searchParams.get('filter') ?? '')
    })
    await page.route(
      (url) => url.href.includes(unread),
      (route) => route.abort(),
    )
    await page.clock.install({ time: NOW_MS })
    await page.goto('/')
    await card(page, 'a-whole').getByRole('meter').first().waitFor()
    // Pending systems are listed first.
    await waitUntil(page, `document.querySelector('[data-health=pending]') === null`)
    return { page, read }
  }
  const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  /** Path data of the line; absent until the card has read its history. */
  const line = (page: Page, name: string) => card(page, name).locator('path[stroke-width="1.25"]')
  /** The positions of all parts of a card. */
  const places = (page: Page, name: string) =>
    card(page, name)
      .locator('b, [role=meter], a, button')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON() as object))

  for (const width of [360, 390]) {
    test(`card of a system shows the line of the last hour beside its CPU, without any layout shift, ${width} px`, async () => {
      const { page } = await open(width)
      await using _ = page
      const before = await places(page, 'a-whole')
      assert.ok(before.length >= 8)
      await page.clock.runFor(SETTLE_MS)
      await waitUntil(page, `document.querySelector('li[data-health] path[stroke-width="1.25"]')?.getAttribute('d')`)
      const strokes = async (name: string) => (await line(page, name).getAttribute('d'))?.match(/M/g)?.length
      assert.equal(await strokes('a-whole'), 1)
      const box = await card(page, 'a-whole').locator('svg[preserveAspectRatio=none]').boundingBox()
      assert.ok(box !== null && box.width >= 36 && box.height === 16, JSON.stringify(box))
      await waitUntil(page, `document.querySelectorAll('li[data-health] path[stroke-width="1.25"]:not([d=""])').length > 1`)
      assert.equal(await strokes('b-gap'), 2)
      // A card whose history cannot be read shows no line.
      assert.equal(await line(page, 'c-unread').getAttribute('d'), '')
      assert.equal(await card(page, 'c-unread').locator('svg[preserveAspectRatio=none]').getAttribute('aria-hidden'), 'true')
      assert.deepEqual(await places(page, 'a-whole'), before)
    })
  }

  test('only cards that stay visible read their last hour', async () => {
    const { page, read } = await open(360)
    await using _ = page
    await page.evaluate('scrollTo(0, 2000)')
    await card(page, 'a-whole').waitFor({ state: 'detached' })
    await page.clock.runFor(SETTLE_MS)
    await page.waitForLoadState('networkidle')
    assert.ok(read.length > 0 && read.length < OTHERS, `${read.length} cards`)
    assert.equal(new Set(read).size, read.length)
  })
})
