import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

/** The common behaviour of forms: positions of errors, focus, and number fields. */
describe('forms', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.addSystem(admin, { name: 'typed', port: await freePort() })
  })

  after(() => hub[Symbol.asyncDispose]())

  const isFocused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor()
  const noteOf = async (field: Locator) =>
    field
      .page()
      .locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
      .textContent()

  test('empty sign-in form shows an error at each field in the page’s language and focuses the first one', async () => {
    await using page = await hub.openPage(undefined, { locale: 'de-DE' })
    await page.goto('/')
    const email = page.getByLabel('E-Mail', { exact: true })
    const password = page.getByLabel('Passwort', { exact: true })
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await isFocused(email)
    assert.deepEqual([await noteOf(email), await noteOf(password)], ['Darf nicht leer sein', 'Darf nicht leer sein'])
    await auditPage(page, 'a form with errors')
    await page.keyboard.type('nobody')
    assert.deepEqual([await noteOf(email), await noteOf(password)], ['Eine E-Mail-Adresse eingeben', 'Darf nicht leer sein'])
    await page.keyboard.type('@example.com')
    assert.equal(await email.getAttribute('aria-invalid'), 'false')
    await page.keyboard.press('Enter')
    await isFocused(password)
  })

  test('error of the hub moves the focus to its field, and typing removes the error', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings')
    const card = page.getByRole('region', { name: 'Password', exact: true })
    const old = card.getByLabel('Current password', { exact: true })
    const next = card.getByLabel('New password', { exact: true })
    await old.fill('not the password')
    await next.fill('short')
    await card.getByLabel('New password, again', { exact: true }).fill('other')
    await page.keyboard.press('Enter')
    await isFocused(next)
    assert.equal(await noteOf(next), 'At least 8 characters')
    await next.fill('long enough')
    await card.getByLabel('New password, again', { exact: true }).fill('long enough')
    await page.keyboard.press('Enter')
    await isFocused(old)
    assert.equal(await old.getAttribute('aria-invalid'), 'true')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    assert.equal(await old.getAttribute('aria-invalid'), 'false')
  })

  test('threshold field keeps a draft until Enter or blur, then clamps it; an emptied field restores its value', async () => {
    await using page = await hub.openPage(admin)
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/beszel/user-alerts')) sent.push(request.postDataJSON())
    })
    const stored = () => page.waitForResponse((one) => one.request().method() === 'POST' && one.url().endsWith('/api/beszel/user-alerts'))
    await page.goto('/')
    await page.getByRole('button', { name: 'Alerts for typed', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Alerts for typed' })
    const on = stored()
    await sheet.getByRole('switch', { name: 'Bandwidth' }).click()
    await on
    const card = sheet.getByRole('listitem').filter({ hasText: 'Bandwidth' })
    const box = card.getByRole('spinbutton', { name: 'Threshold' })
    await typeOver(page, box, '125')
    assert.equal(await box.inputValue(), '125')
    await card.getByText('above 80 MB/s').waitFor()
    const entered = stored()
    await page.keyboard.press('Enter')
    await entered
    await card.getByText('above 125 MB/s').waitFor()
    const left = stored()
    await typeOver(page, box, '512')
    await page.keyboard.press('Tab')
    await left
    assert.equal(await box.inputValue(), '250')
    await box.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    assert.equal(await box.inputValue(), '')
    await page.keyboard.press('Tab')
    assert.equal(await box.inputValue(), '250')
    assert.deepEqual(
      sent.map((body) => (body as { readonly value: number }).value), // the body of a rule that the sheet saved
      [80, 125, 250],
    )
  })

  test('number field of the back-office is typed digit by digit, and an empty field is null, not 0', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/#/settings/mail')
    const card = page.getByRole('region', { name: 'History', exact: true })
    const most = card.getByRole('spinbutton', { name: 'At most so many bytes' })
    await typeOver(page, most, '123456789')
    const stored = page.waitForResponse((one) => one.request().method() === 'PATCH' && one.url().endsWith('/settings/retention'))
    await page.keyboard.press('Enter')
    assert.deepEqual((await stored).request().postDataJSON(), { mostBytes: 123_456_789 })
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await most.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    const emptied = page.waitForResponse((one) => one.request().method() === 'PATCH' && one.url().endsWith('/settings/retention'))
    await page.keyboard.press('Enter')
    assert.deepEqual((await emptied).request().postDataJSON(), { mostBytes: null })
  })
})

/** Replaces the text of a field by key presses, like a user. */
async function typeOver(page: Page, field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}
