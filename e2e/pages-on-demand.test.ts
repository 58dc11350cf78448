import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { stopClock } from './pages-clock.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

/** The page's clock is stopped, so nothing that waits for a timer appears. */
describe('parts that load on demand appear without waiting for a timer', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub({
      async prepare({ database, store }) {
        await database.write((unit) => store.insert(unit, 'systems', { name: 'gauge', host: '192.0.2.1', port: '45876', status: 'paused' }))
      },
    })
    admin = await hub.createAdmin()
  })

  after(() => hub[Symbol.asyncDispose]())

  const menu = (page: Page) => page.getByRole('menu')
  const dialog = (page: Page) => page.getByRole('dialog')
  const heading = (page: Page) => page.getByRole('heading', { level: 1 })

  for (const [what, address, press, shown] of [
    ['a menu of the bar', '/', (page) => page.getByRole('button', { name: 'Theme' }).click(), menu],
    ['a menu of a row', '/', (page) => page.getByRole('button', { name: 'Menu of gauge' }).click(), menu],
    ['the command palette', '/', (page) => page.keyboard.press('Control+k'), dialog],
    ['a dialog', '/', (page) => page.getByRole('button', { name: 'Add system' }).click(), dialog],
    ['another page', '/', (page) => page.getByRole('banner').getByRole('link', { name: 'Settings' }).click(), heading],
    [
      'a page of the back-office',
      '/_/#/logs',
      (page) => page.getByRole('link', { name: 'Health' }).click(),
      (page) => heading(page).filter({ hasText: 'Health' }),
    ],
  ] as readonly (readonly [string, string, (page: Page) => Promise<void>, (page: Page) => Locator])[]) {
    test(what, async () => {
      await using page = await hub.openPage(admin)
      await page.clock.install()
      await page.goto(address)
      await (address === '/' ? page.getByRole('button', { name: 'Menu of gauge' }) : heading(page)).waitFor()
      await stopClock(page)
      await press(page)
      await shown(page).waitFor()
    })
  }
})
