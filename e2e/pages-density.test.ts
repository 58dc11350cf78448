import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { choose } from './choose.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'

describe('the density of tables and cards', { timeout: 5 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const { port } = made.use(await sshAgent(key, () => richMachine))
    await hub.addSystem(admin, { name: 'gauge', port })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const heightOf = (page: Page, selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`)
  /** Controls that are lower or narrower than 24 px, except links in text. */
  const smallTargets = (page: Page) =>
    page.evaluate<readonly string[]>(`[...document.querySelectorAll('main button, main input, main [role=slider]')]
      .filter((one) => one.checkVisibility())
      .map((one) => [one.closest('label') ?? one, one.getAttribute('aria-label') ?? one.textContent])
      .map(([one, name]) => [one.getBoundingClientRect(), name])
      .filter(([{ width, height }]) => width < 23.5 || height < 23.5)
      .map(([{ width, height }, name]) => name + ' ' + width + ' x ' + height)`)
  const row = 'main tbody tr[data-health]'

  test('density is a setting of the account that changes open pages at once and persists', async () => {
    await using fleet = await hub.openPage(admin)
    await fleet.goto('/')
    await fleet.getByRole('link', { name: 'gauge', exact: true }).waitFor()
    assert.equal(await heightOf(fleet, row), 40)
    await fleet.evaluate(`document.querySelector('${row}').isSame = true`)
    const settings = await fleet.context().newPage()
    await settings.goto('/settings')
    const stored = settings.waitForResponse((one) => one.request().method() === 'PATCH' && one.url().endsWith('/api/account/settings'))
    await choose(settings, 'Density', 'Compact')
    assert.equal((await stored).status(), 200)
    await fleet.locator('html[data-density=compact]').waitFor()
    assert.equal(await heightOf(fleet, row), 32)
    assert.equal(await fleet.evaluate(`document.querySelector('${row}').isSame`), true)
    assert.deepEqual(await smallTargets(fleet), [])
    // Another browser of the same user.
    await using other = await hub.openPage(admin)
    await other.goto('/')
    await other.locator('html[data-density=compact]').waitFor()
    await settings.close()
  })

  test('compact page of a system has smaller cards and rows, and targets of at least 24 px', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    await page.locator('html[data-density=compact]').waitFor()
    await page.locator('main canvas').first().waitFor()
    const containers = page.getByRole('region', { name: 'Containers', exact: true })
    while ((await containers.count()) === 0) await page.mouse.wheel(0, 20_000)
    await containers.getByRole('row').filter({ hasText: 'database' }).waitFor()
    assert.equal(await heightOf(page, 'main [role=slider]'), 140)
    assert.ok((await heightOf(page, '[aria-label=Containers] tbody tr')) <= 30)
    assert.deepEqual(await smallTargets(page), [])
  })

  test('compact cards on a phone are smaller', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 360, height: 780 } })
    await page.goto('/')
    await page.locator('html[data-density=compact]').waitFor()
    await page.getByRole('link', { name: 'gauge', exact: true }).waitFor()
    assert.equal(await heightOf(page, 'main li[data-health]'), 76)
    assert.deepEqual(await smallTargets(page), [])
  })
})
