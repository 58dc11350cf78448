import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { clockOf, stopClock } from './pages-clock.ts'
import { startLine } from './pages-line.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

/** A small step of the stopped clock. */
const STEP_OF_CLOCK_MS = 20
const RECONNECT_DELAYS_MS = [200, 300, 500, 1000, 1200, 1500, 2000, 2000]

/** Records, by the page's own clock, when it opened each event stream and when it lost it. */
const watchStreams = `(() => {
  const Real = EventSource
  window.streams = { opened: [], lost: [] }
  window.EventSource = class extends Real {
    constructor(...args) {
      super(...args)
      streams.opened.push(Date.now())
      this.addEventListener('error', () => streams.lost.push(Date.now()))
    }
  }
})()`

/** Behaviour after timeouts. The page's clock is stopped, and the test advances it. */
describe('times of the specification', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const openClocked = async (path: string) => {
    const page = await hub.openPage(admin)
    await page.clock.install()
    await page.goto(path)
    return page
  }
  /** Advances the stopped clock until the element is visible. Menus and code that loads for them need some time. */
  const runUntil = async (page: Page, locator: Locator) => {
    while (!(await locator.isVisible())) await page.clock.runFor(STEP_OF_CLOCK_MS)
  }
  const isLive = (page: Page) => page.getByText('live', { exact: true }).waitFor()
  const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  /**
   * Causes an error toast with the default duration, and waits for this new toast. The previous toast stays until the change has failed.
   */
  const failToPause = async (page: Page) => {
    await toasts(page).evaluateAll((last) => last.forEach((toast) => toast.setAttribute('data-last', '')))
    await page.getByRole('button', { name: 'Menu of gauge' }).click()
    const entry = page.getByRole('menuitem', { name: 'Pause', exact: true })
    await runUntil(page, entry)
    await entry.click()
    await runUntil(page, toasts(page).and(page.locator(':not([data-last])')).filter({ hasText: 'Cannot pause "gauge"' }))
  }
  const openWithToast = async () => {
    const page = await openClocked('/')
    await isLive(page)
    // The list is read after the page has subscribed, which a stopped clock would delay.
    await page.getByRole('button', { name: 'Menu of gauge' }).waitFor()
    await stopClock(page)
    // Only this change fails. Other requests succeed, such as that for the code of the toast.
    await page.route('**/api/collections/systems/records/*', (route) => route.abort())
    await failToPause(page)
    return page
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  test('§9 toasts: one goes after 5000 ms, and there is never a second', async () => {
    await using page = await openWithToast()
    await failToPause(page)
    assert.equal(await toasts(page).count(), 1)
    await page.clock.runFor(5_000 - 2 * STEP_OF_CLOCK_MS)
    assert.equal(await toasts(page).count(), 1)
    await page.clock.runFor(2 * STEP_OF_CLOCK_MS)
    await toasts(page).waitFor({ state: 'detached' })
  })

  test('§9 toasts: one that is swept away by 50 pixels goes, by less it stays', async () => {
    await using page = await openWithToast()
    const sweep = async (pixels: number) => {
      const box = await toasts(page).boundingBox()
      assert.ok(box !== null)
      const [x, y] = [box.x + 40, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 10, y)
      await page.mouse.move(x + pixels, y)
      await page.mouse.up()
    }
    await sweep(49)
    await page.locator('[data-swipe=cancel]').waitFor()
    assert.equal(await toasts(page).getAttribute('data-state'), 'open')
    await sweep(52)
    await toasts(page).waitFor({ state: 'detached' })
  })

  test('§8 clipboard: that something was copied is said for 1500 ms', async () => {
    await using page = await openClocked('/')
    await page.context().grantPermissions(['clipboard-write'])
    await isLive(page)
    await stopClock(page)
    await page.getByRole('button', { name: 'Menu of gauge' }).click()
    const entry = page.getByRole('menuitem', { name: 'Copy name', exact: true })
    await runUntil(page, entry)
    await entry.click()
    const said = toasts(page).filter({ hasText: 'Copied to clipboard' })
    await runUntil(page, said)
    await page.clock.runFor(1_500 - 2 * STEP_OF_CLOCK_MS)
    assert.equal(await said.count(), 1)
    await page.clock.runFor(2 * STEP_OF_CLOCK_MS)
    await said.waitFor({ state: 'detached' })
  })

  /** The first move of the pointer loads the tooltips and shows one. The next tooltip has its usual delay. */
  const stopClockWithTooltips = async (page: Page) => {
    await page.locator('[data-tooltip=Uptime]').hover()
    await page.getByRole('tooltip').waitFor()
    await page.mouse.move(2, 2)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await stopClock(page)
    await page.clock.runFor(300)
  }

  test('§9 tooltips: the first after 700 ms, the next within 300 ms at once', async () => {
    await using page = await openClocked('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await stopClockWithTooltips(page)
    const point = async (title: string) => {
      const box = await page.getByRole('button', { name: `${title}: show the numbers`, exact: true }).boundingBox()
      assert.ok(box !== null)
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    }
    const tooltip = page.getByRole('tooltip')
    await point('Total CPU Usage')
    await page.clock.runFor(699)
    assert.equal(await tooltip.count(), 0)
    await page.clock.runFor(1)
    await tooltip.waitFor()
    await point('Total Memory Usage')
    await page.clock.runFor(1)
    await tooltip.waitFor()
    await page.mouse.move(2, 2)
    await tooltip.waitFor({ state: 'detached' })
    await page.clock.runFor(299)
    await point('Total CPU Usage')
    await page.clock.runFor(1)
    await tooltip.waitFor()
    await page.mouse.move(2, 2)
    await tooltip.waitFor({ state: 'detached' })
    await page.clock.runFor(300)
    await point('Total CPU Usage')
    await page.clock.runFor(699)
    assert.equal(await tooltip.count(), 0)
  })

  test('§9 tooltips: the delay goes on within a button, and a click on it ends its tooltip until the pointer leaves', async () => {
    await using page = await openClocked('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await stopClockWithTooltips(page)
    const button = page.getByRole('button', { name: 'Total CPU Usage: show the numbers', exact: true })
    const tooltip = page.getByRole('tooltip')
    const box = await button.boundingBox()
    assert.ok(box !== null)
    // From the edge of the button to its icon.
    await page.mouse.move(box.x + 2, box.y + 2)
    await page.clock.runFor(400)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.clock.runFor(299)
    assert.equal(await tooltip.count(), 0)
    await page.clock.runFor(1)
    await tooltip.waitFor()
    await page.mouse.down()
    await tooltip.waitFor({ state: 'detached' })
    await page.mouse.move(box.x + 2, box.y + 2)
    await page.clock.runFor(1_000)
    assert.equal(await tooltip.count(), 0)
  })

  test('tooltips: an element removed from the page has no tooltip, whether it was already visible or not', async () => {
    await using page = await openClocked('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await stopClockWithTooltips(page)
    const tooltip = page.getByRole('tooltip')
    const button = (title: string) => page.getByRole('button', { name: `${title}: show the numbers`, exact: true })
    const remove = (title: string) => page.evaluate(`document.querySelector('[aria-label="${title}: show the numbers"]').remove()`)
    await button('Total CPU Usage').focus()
    await page.clock.runFor(699)
    await remove('Total CPU Usage')
    await page.clock.runFor(1)
    assert.equal(await tooltip.count(), 0)
    await button('Total Memory Usage').focus()
    await page.clock.runFor(700)
    await tooltip.waitFor()
    await remove('Total Memory Usage')
    await tooltip.waitFor({ state: 'detached' })
  })

  test('tooltips: the pointer can enter a tooltip, it describes its element, and Escape closes it', async () => {
    await using page = await openClocked('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await stopClockWithTooltips(page)
    const uptime = page.locator('[data-tooltip=Uptime]')
    const tooltip = page.getByRole('tooltip')
    const from = await uptime.boundingBox()
    assert.ok(from !== null)
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.clock.runFor(700)
    await tooltip.waitFor()
    assert.equal(await uptime.getAttribute('aria-describedby'), await tooltip.getAttribute('id'))
    const to = await tooltip.boundingBox()
    assert.ok(to !== null)
    // In small steps across the gap between button and tooltip.
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 })
    await page.clock.runFor(2_000)
    assert.equal(await tooltip.count(), 1)
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
    assert.equal(await uptime.getAttribute('aria-describedby'), null)
  })

  test('§9 menus: what is typed to find an entry is forgotten after a second', async () => {
    await using page = await openClocked('/')
    await page.getByRole('button', { name: 'Theme', exact: true }).click()
    const highlighted = (name: string) => page.getByRole('menuitemradio', { name }).and(page.locator(':focus')).waitFor()
    await page.getByRole('menu').waitFor()
    await stopClock(page)
    await page.keyboard.press('d')
    await page.clock.runFor(1)
    await highlighted('Dark')
    await page.keyboard.press('s')
    await page.clock.runFor(999)
    await highlighted('Dark')
    await page.clock.runFor(1)
    await page.keyboard.press('s')
    await page.clock.runFor(1)
    await highlighted('System')
  })

  test('§9 realtime: a lost stream is opened again after 200, 300, 500, 1000, 1200, 1500 and then 2000 ms', async () => {
    await using line = await startLine(hub.address)
    await using page = await hub.openPage(admin, line.options(admin))
    await page.addInitScript(watchStreams)
    await page.clock.install()
    await page.goto('/')
    await isLive(page)
    await page.waitForLoadState('networkidle')
    await stopClock(page)
    line.cut()
    const seen = () => page.evaluate<{ opened: readonly number[]; lost: readonly number[] }>('streams')
    while ((await seen()).opened.length <= RECONNECT_DELAYS_MS.length) await page.clock.runFor(100)
    const { opened, lost } = await seen()
    assert.deepEqual(
      opened.slice(1).map((at, index) => at - (lost[index] ?? Number.NaN)),
      RECONNECT_DELAYS_MS,
    )
    line.mend()
    await runUntil(page, page.getByText('live', { exact: true }))
  })

  test('§9 realtime: a stream that is not there after 15 s is given up, and said to be lost', async () => {
    await using page = await hub.openPage(admin)
    const held = Promise.withResolvers<void>()
    await page.addInitScript(watchStreams)
    // The test holds back only the event stream; a real hub cannot be stopped between page and stream.
    await page.route('**/api/realtime', async (route) => {
      await held.promise
      await route.abort()
    })
    await page.clock.install()
    const asked = page.waitForRequest('**/api/realtime')
    await page.goto('/')
    await asked
    await stopClock(page)
    const openedAt = await page.evaluate<number>('streams.opened[0]')
    await page.clock.runFor(openedAt + 14_900 - (await clockOf(page)))
    assert.equal(await page.getByText('connecting…', { exact: true }).count(), 1)
    await page.clock.runFor(200)
    await page.getByText('reconnecting…', { exact: true }).waitFor()
    held.resolve()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
