import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

const SETTINGS = '/api/account/settings'
const MAIL = 'me@example.com'
const PAGER = 'generic+https://pager.example.com/hook'

/** Card with the escalation in the settings. */
describe('escalation', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const createPerson = async (email: string, role: 'admin' | 'user', escalation: readonly object[] = []): Promise<Session> => {
    const session = await hub.createUser(email, role)
    const change = { add: { emails: [MAIL], webhooks: [PAGER] }, remove: { emails: [email] } }
    await hub.send(session, 'PATCH', SETTINGS, { ...change, merge: escalation.length === 0 ? {} : { escalation } })
    return session
  }
  const open = async (session: Session, options: BrowserContextOptions = {}) => {
    const page = await hub.openPage(session, options)
    await page.goto('/settings#escalation')
    return page
  }
  const card = (page: Page) => page.getByRole('region', { name: 'Escalation', exact: true })
  const names = (page: Page) => card(page).locator('ol > li > div > p:first-child')
  const stored = async (session: Session): Promise<unknown> => {
    const response = await hub.send(session, 'GET', SETTINGS)
    return (response as { readonly settings: { readonly escalation?: unknown } }).settings.escalation // as the route declares
  }
  const save = async (page: Page) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const isFocusInCard = `document.activeElement.closest('#escalation') !== null`

  test('an admin adds, edits and deletes steps, also with another person', async () => {
    const ada = await createPerson('ada@example.com', 'admin')
    const bob = await hub.createUser('bob@example.com', 'user')
    await using page = await open(ada)
    const dialog = page.getByRole('dialog')
    await card(page).getByText('No steps yet. Alerts do not escalate.').waitFor()

    await card(page).getByRole('button', { name: 'Add step' }).focus()
    await page.keyboard.press('Enter')
    await choose(page, 'Inform', 'Another person')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Choose a person').last().waitFor()
    await choose(page, 'Person', 'bob@example.com')
    await auditPage(page, 'a new escalation step')
    await save(page)
    await names(page).getByText('After 15 min').waitFor()
    await card(page).getByText('bob@example.com').waitFor()
    const person = { minutes: 15, person: bob.record.id }
    assert.deepEqual(await stored(ada), [person])

    // A step with an earlier time comes first.
    await card(page).getByRole('button', { name: 'Add step' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Another step has this time.').waitFor()
    await dialog.getByText('Choose a channel.').waitFor()
    await dialog.getByLabel('Minutes after the message').fill('5')
    await dialog.getByRole('checkbox', { name: PAGER }).check()
    await choose(page, 'Severity', 'Critical')
    await save(page)
    await names(page).getByText('After 5 min, critical alerts only').waitFor()
    const channels = { minutes: 5, severity: 'critical', channels: [PAGER] }
    assert.deepEqual(await stored(ada), [channels, person])
    await auditPage(page, 'a list of escalation steps')

    await card(page).getByRole('button', { name: 'Edit step: After 5 min, critical alerts only' }).click()
    await dialog.getByLabel('Minutes after the message').fill('30')
    await choose(page, 'Severity', 'All severities')
    await save(page)
    await names(page).getByText('After 30 min').waitFor()
    await waitUntil(page, isFocusInCard)
    assert.deepEqual(await stored(ada), [person, { minutes: 30, channels: [PAGER] }])

    for (const [name, left] of [
      ['After 15 min', [{ minutes: 30, channels: [PAGER] }]],
      ['After 30 min', undefined],
    ] as const) {
      await card(page)
        .getByRole('button', { name: `Delete step: ${name}` })
        .click()
      const question = page.getByRole('alertdialog', { name: `Delete step: ${name}?` })
      await question.getByRole('button', { name: 'Delete' }).click()
      await question.waitFor({ state: 'detached' })
      await waitUntil(page, isFocusInCard)
      assert.deepEqual(await stored(ada), left)
    }
    await card(page).getByText('No steps yet. Alerts do not escalate.').waitFor()
  })

  test('a user without the role of an admin chooses own channels only, and a stored step with a person is marked', async () => {
    const carol = await createPerson('carol@example.com', 'admin')
    const dan = await hub.createUser('dan@example.com', 'user')
    await hub.send(carol, 'PATCH', SETTINGS, { merge: { escalation: [{ minutes: 10, person: dan.record.id }] } })
    await hub.send(admin, 'PATCH', `/api/collections/users/records/${carol.record.id}`, { role: 'user' })
    await using page = await open(carol)
    await card(page).getByText('Only admins can inform another person, so this step is skipped.').waitFor()
    assert.equal(await card(page).getByRole('button', { name: 'Edit step: After 10 min' }).count(), 0)
    await card(page).getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: MAIL }).waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Inform').count(), 0)
    await page.getByRole('dialog').getByRole('checkbox', { name: MAIL }).check()
    await save(page)
    assert.deepEqual(await stored(carol), [
      { minutes: 10, person: dan.record.id },
      { minutes: 15, channels: [MAIL] },
    ])
  })

  test('removed channels, deleted accounts and unknown steps are marked, and a step that another page deleted is not overwritten', async () => {
    const gone = await hub.createUser('gone@example.com', 'user')
    const old = { minutes: 5, channels: ['old@example.com'] }
    const eve = await createPerson('eve@example.com', 'admin', [old, { minutes: 10, person: gone.record.id }])
    await hub.send(admin, 'DELETE', `/api/collections/users/records/${gone.record.id}`)
    await using page = await hub.openPage(eve)
    await page.route(`**${SETTINGS}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      const { settings, ...rest } = (await response.json()) as { readonly settings: { readonly escalation: readonly object[] } } // as the route declares
      const escalation = [...settings.escalation, { minutes: 20, team: 'on call' }]
      return route.fulfill({ response, json: { ...rest, settings: { ...settings, escalation } } })
    })
    await page.goto('/settings#escalation')
    await card(page).getByText('All channels of this step were removed, so it is skipped.').waitFor()
    await card(page).getByText('This account was deleted, so the step is skipped.').waitFor()
    await names(page).getByText('Unknown step').waitFor()
    await auditPage(page, 'escalation steps with problems')
    await page.unroute(`**${SETTINGS}`)
    await hub.send(eve, 'PATCH', SETTINGS, { merge: { escalation: [old] } })
    await card(page).getByRole('button', { name: 'Delete step: After 10 min' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByText('Deleted in the meantime. Reload the page.').waitFor()
    assert.deepEqual(await stored(eve), [old])
  })

  test('a failed request shows the error, and the card tries again', async () => {
    const fay = await createPerson('fay@example.com', 'user')
    await using page = await hub.openPage(fay)
    await page.route(`**${SETTINGS}`, (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
    await page.goto('/settings#escalation')
    await card(page).getByText('Not now.').waitFor()
    await page.unroute(`**${SETTINGS}`)
    await card(page).getByRole('button', { name: 'Try again' }).click()
    await card(page).getByText('No steps yet. Alerts do not escalate.').waitFor()
  })

  test('card and dialog are in German and fit a phone', async () => {
    const ida = await createPerson('ida@example.com', 'user', [{ minutes: 90, severity: 'critical', channels: [PAGER] }])
    await using page = await open(ida, { locale: 'de-DE', viewport: { width: 360, height: 740 } })
    const steps = page.getByRole('region', { name: 'Eskalation', exact: true })
    await steps.getByRole('button', { name: 'Stufe bearbeiten: Nach 90 min, nur kritische Alarme' }).click()
    await page.getByRole('dialog', { name: 'Eskalationsstufe bearbeiten' }).getByRole('checkbox', { name: PAGER }).waitFor()
    await auditPage(page, 'an escalation step in German')
  })
})
