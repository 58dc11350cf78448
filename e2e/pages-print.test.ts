import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const SYSTEMS = 60

describe('pages on paper', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const { port } = made.use(await sshAgent(stores.key.publicLine, () => richMachine))
          const nowMs = Date.now()
          const samples = moments(nowMs - 20 * MINUTE_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample: richMachine }))
          await addPastSystem(stores, { name: 'gauge', port, status: 'paused', samples })
          await stores.database.write(async (unit) => {
            for (let index = 0; index < SYSTEMS; index++)
              await stores.store.insert(unit, 'systems', { name: `box-${index}`, host: '192.0.2.1', port: '45876', status: 'paused' })
          })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  const rows = (page: Page) => page.getByRole('row').filter({ hasText: /box-/ })

  test('All Systems is printed with all rows, in the light theme, and without controls', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 1440, height: 500 }, colorScheme: 'dark' })
    await page.goto('/')
    await rows(page).first().waitFor()
    assert.ok((await rows(page).count()) < SYSTEMS)
    assert.equal(await page.evaluate('document.documentElement.className'), 'dark')

    await page.emulateMedia({ media: 'print' })
    await waitUntil(page, `document.querySelectorAll('tbody tr').length > ${SYSTEMS} && document.documentElement.className === 'light'`)
    assert.equal(await rows(page).count(), SYSTEMS)
    assert.equal(await page.getByRole('banner').count(), 0)

    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('banner').waitFor()
    // The media query changes before the page's own listener runs.
    await waitUntil(page, `document.documentElement.className === 'dark' && document.querySelectorAll('tbody tr').length < ${SYSTEMS}`)
  })

  test('charts of a system fit into their cards in print, and no row of a section is half empty', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 1440, height: 900 } })
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await waitUntil(
      page,
      `scrollTo(0, document.body.scrollHeight), document.querySelectorAll('main section section.card canvas').length > 3`,
    )
    const unfilled = await page.evaluate(`[...document.querySelectorAll('main .grid:has(> section.card)')]
      .filter((grid) => grid.lastElementChild.getBoundingClientRect().right < grid.getBoundingClientRect().right - 1)
      .map((grid) => grid.closest('section')?.getAttribute('aria-label') ?? 'the first')`)
    assert.deepEqual(unfilled, [])

    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 794, height: 1123 })
    const wider = await page.evaluate(`[...document.querySelectorAll('main canvas')]
      .filter((canvas) => canvas.getBoundingClientRect().right > canvas.closest('.card').getBoundingClientRect().right)
      .length`)
    assert.equal(wider, 0)
  })
})
