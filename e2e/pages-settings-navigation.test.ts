import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

describe('navigation of the settings page', { timeout: 4 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
  })

  after(() => hub[Symbol.asyncDispose]())

  const links = (page: Page) => page.getByRole('navigation', { name: 'Settings' })
  const read = (page: Page) => links(page).locator('[aria-current]')
  const isInView = (title: string) =>
    `(({ top, bottom }) => top >= 0 && top < innerHeight && bottom > 0)(document.querySelector('section[aria-label="${title}"]').getBoundingClientRect())`

  test('navigation link scrolls to its section, is marked and is in the address; a loaded address scrolls there too', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 1440, height: 700 } })
    await page.goto('/settings')
    await links(page).getByRole('link', { name: 'Sessions' }).waitFor()
    assert.deepEqual(await links(page).getByRole('link').allTextContents(), [
      'Display',
      'Notifications',
      'Notification rules',
      'Escalation',
      'Messages',
      'Quiet hours',
      'Profile',
      'Password',
      'Two-factor sign-in',
      'Sessions',
      'API keys',
      'Groups and access',
    ])
    assert.equal(await read(page).textContent(), 'Display')
    for (const title of ['Quiet hours', 'Sessions', 'Profile']) {
      await links(page).getByRole('link', { name: title }).click()
      await read(page).filter({ hasText: title }).waitFor()
      await waitUntil(page, isInView(title))
    }
    assert.equal(new URL(page.url()).hash, '#profile')
    await auditPage(page, 'settings beside their navigation')
    // The sections above grow when their lists load.
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/(?:account|collections\/(?:quiet_hours|user_settings))\//, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.evaluate('scrollTo(0, 0)')
    await page.reload()
    await read(page).waitFor()
    held.resolve()
    await page.getByRole('region', { name: 'Sessions', exact: true }).getByRole('listitem').first().waitFor()
    await read(page).filter({ hasText: 'Profile' }).waitFor()
    await waitUntil(page, isInView('Profile'))
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, -10_000)
    await read(page).filter({ hasText: 'Display' }).waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })

  test('navigation is hidden where there is no room beside the sections', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 768, height: 900 } })
    await page.goto('/settings')
    await page.getByRole('region', { name: 'Sessions', exact: true }).waitFor()
    assert.equal(await links(page).count(), 0)
  })
})
