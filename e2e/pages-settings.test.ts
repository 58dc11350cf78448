import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { stopClock } from './pages-clock.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { windowButton } from './window-button.ts'

const PERSON = 'person@example.com'
const NEW_PASSWORD = 'another horse battery'

/** A user's own settings and their effect on all pages. */
describe('settings', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const openSettings = async (session = admin) => {
    const page = await hub.openPage(session)
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    return page
  }
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const store = async (page: Page, label: string, choice: string) => {
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.url().endsWith('/api/account/settings'))
    await choose(page, label, choice)
    assert.equal((await stored).status(), 200)
    await card(page, 'Display').getByText('Saved', { exact: true }).waitFor()
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  test('settings page opens from the top bar', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    assert.equal(await page.title(), 'Settings / Vedette')
    await card(page, 'Profile').getByRole('button', { name: 'Save' }).waitFor()
    await page.mouse.move(0, 0)
    await auditPage(page, 'settings')
  })

  test('units, clock and time zone apply to list, header, charts and tooltips, in every browser of the user', async () => {
    await using page = await openSettings()
    await store(page, 'Network unit', 'Bits per second')
    await store(page, 'Time format', '24 hours')
    await store(page, 'Time zone', 'Asia/Tokyo')
    await using elsewhere = await hub.openPage(admin)
    for (const one of [page, elsewhere]) {
      await one.goto('/')
      await one.getByRole('cell', { name: /^[\d.,]+ [kMG]?bit\/s$/ }).waitFor()
      await one.goto('/system/gauge')
      const bandwidth = one.getByRole('region', { name: 'Bandwidth', exact: true })
      // A page that was drawn before the settings arrived is drawn again.
      await bandwidth.getByRole('button', { name: /^sent [\d.,]+ [kMG]?bit\/s$/ }).waitFor()
      await bandwidth.scrollIntoViewIfNeeded()
      await bandwidth.locator('canvas').waitFor()
      await one
        .getByRole('region', { name: 'Disk I/O', exact: true })
        .getByRole('button', { name: /^read [\d.,]+ [kMG]?B\/s$/ })
        .waitFor()
      const now = new Intl.DateTimeFormat('en-US', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
      const window = (await windowButton(one).textContent()) ?? ''
      // The window of a new system ends a few minutes after its first sample.
      const near = Array.from({ length: 9 }, (_, minutes) => now.format(Date.now() + (minutes - 2) * 60_000))
      assert.ok(
        near.some((time) => window.endsWith(time)),
        `${window} ends with none of ${near.join()}`,
      )
      const slider = bandwidth.getByRole('slider')
      assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /, \d\d:\d\d/)
    }
  })

  test('custom window uses the selected time zone', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    // The account's settings reach this browser for the first time, so the page is drawn again.
    await waitUntil(page, `(localStorage.getItem('ui-settings') ?? '').includes('Asia/Tokyo')`)
    await windowButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Pick a time' })
    await dialog.getByLabel('From').fill('2026-01-31T09:30')
    await dialog.getByLabel('To').fill('2026-01-31T10:30')
    await dialog.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/from=/)
    assert.equal(Number(new URL(page.url()).searchParams.get('from')), Date.UTC(2026, 0, 31, 0, 30))
  })

  test('page of a system opens with the default range and chart columns; a range in the address takes precedence', async () => {
    await using page = await openSettings()
    await store(page, 'Default time range', '12 hours')
    await store(page, 'Charts', 'One below the other')
    await page.goto('/system/gauge')
    await page.getByRole('button', { name: '12h, 12 hours', pressed: true }).waitFor()
    await page.locator('canvas').first().waitFor()
    const left = async (title: string) => (await page.getByRole('region', { name: title, exact: true }).boundingBox())?.x
    assert.equal(await left('Total CPU Usage'), await left('Total Memory Usage'))
    await page.goto('/system/gauge?range=1h')
    await page.getByRole('button', { name: '1h, 1 hour', pressed: true }).waitFor()
  })

  test('settings of other clients are kept, and a setting that cannot be saved shows an error and is reverted', async () => {
    const list = (await hub.send(admin, 'GET', '/api/collections/user_settings/records')) as {
      readonly items: readonly { readonly id: string; readonly settings: Readonly<Record<string, unknown>> }[]
    } // a page of records
    const [record] = list.items
    assert.ok(record !== undefined)
    await hub.send(admin, 'PATCH', `/api/collections/user_settings/records/${record.id}`, {
      settings: { ...record.settings, webhooks: ['generic://example.com'], unitDisk: '1' },
    })
    await using page = await openSettings()
    await page.getByRole('combobox', { name: 'Disk I/O unit', exact: true }).getByText('Bits per second').waitFor()
    await store(page, 'Temperature unit', '°F')
    const after = (await hub.send(admin, 'GET', '/api/collections/user_settings/records')) as typeof list // the same list
    assert.deepEqual(after.items[0]?.settings, {
      ...record.settings,
      webhooks: ['generic://example.com'],
      unitDisk: '1',
      unitTemp: 3,
    })
    // Only this change fails. Other requests succeed, such as that for the code of the error message.
    await page.route('**/api/account/settings', (route) => route.abort())
    await page.getByRole('combobox', { name: 'Temperature unit', exact: true }).click()
    await page.getByRole('option', { name: '°C', exact: true }).click()
    await page.getByText('The setting could not be saved', { exact: true }).first().waitFor()
    await page.getByRole('combobox', { name: 'Temperature unit', exact: true }).getByText('°F').waitFor()
  })

  test('§9 selects: at most 24rem high and 10 px from the window’s edge; what was typed to find an entry is forgotten after a second', async () => {
    await using page = await openSettings()
    await page.clock.install()
    await page.setViewportSize({ width: 1000, height: 900 })
    const select = page.getByRole('combobox', { name: 'Time zone', exact: true })
    const list = page.getByRole('listbox')
    await select.click()
    await list.waitFor()
    const rem = await page.evaluate<number>('parseFloat(getComputedStyle(document.documentElement).fontSize)')
    assert.equal((await list.boundingBox())?.height, 24 * rem)
    await stopClock(page)
    const highlighted = async () => page.locator('[role=option][data-highlighted]').textContent()
    await page.keyboard.type('utc')
    await page.clock.runFor(1)
    assert.equal(await highlighted(), 'UTC')
    await page.clock.runFor(998)
    await page.keyboard.type('a')
    await page.clock.runFor(1)
    assert.equal(await highlighted(), 'UTC')
    await page.clock.runFor(1_000)
    await page.keyboard.type('africa/cairo')
    await page.clock.runFor(1)
    assert.equal(await highlighted(), 'Africa/Cairo')
    await page.clock.resume()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1000, height: 420 })
    await select.click()
    await list.waitFor()
    const box = await list.boundingBox()
    assert.ok(box !== null && box.y >= 10 && box.y + box.height <= 410, JSON.stringify(box))
  })

  test('language is selected for this browser', async () => {
    await using page = await openSettings()
    await choose(page, 'Language', 'Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen', exact: true }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await auditPage(page, 'settings in German')
  })

  test('profile saves a name; a wrong password shows an error; a new password ends only the other sessions', async () => {
    const person = await hub.createUser(PERSON, 'user')
    await using page = await openSettings(person)
    await using other = await hub.openPage(person)
    await other.goto('/')
    await other.getByRole('heading', { name: 'No systems yet' }).waitFor()
    const profile = card(page, 'Profile')
    await profile.getByLabel('Name').fill('Ada <b>')
    await profile.getByRole('button', { name: 'Save' }).click()
    await profile.getByText('Saved', { exact: true }).waitFor()
    const password = card(page, 'Password')
    const fill = async (old: string, next: string, again: string) => {
      await password.getByLabel('Current password').fill(old)
      await password.getByLabel('New password', { exact: true }).fill(next)
      await password.getByLabel('New password, again').fill(again)
      await password.getByRole('button', { name: 'Change password' }).click()
    }
    await fill('wrong password', NEW_PASSWORD, 'something else')
    await password.getByText('Not the same as above').waitFor()
    await fill('wrong password', NEW_PASSWORD, NEW_PASSWORD)
    await password.getByText('This password is wrong').waitFor()
    await fill('correct horse battery', NEW_PASSWORD, NEW_PASSWORD)
    await password.getByText('Changed. Other sessions have ended.').waitFor()
    await page.reload()
    await profile.getByLabel('Name').waitFor()
    assert.equal(await profile.getByLabel('Name').inputValue(), 'Ada <b>')
    await other.reload()
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
