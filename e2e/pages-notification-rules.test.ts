import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

const SETTINGS = '/api/account/settings'
const MAIL = 'me@example.com'
const PAGER = 'generic+https://pager.example.com/hook'

/** Card with the notification rules in the settings. */
describe('notification rules', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          const sources = [
            { tag: 'env=prod', sources: ['admin'] },
            { tag: 'team=web', sources: ['person'] },
          ]
          const tagged = { tags: ['env=prod', 'team=web'], tagSources: sources, accessTags: ['env=prod'] }
          const values = { name: 'atlas', host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, ...tagged }
          await database.write((unit) => store.insert(unit, 'systems', values))
        },
      }),
    )
    await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  /** Creates an admin, who sees the system, with two channels and the given rules. */
  const createPerson = async (email: string, notificationRules: readonly object[] = []): Promise<Session> => {
    const session = await hub.createUser(email, 'admin')
    const change = { add: { emails: [MAIL], webhooks: [PAGER] }, remove: { emails: [email] } }
    await hub.send(session, 'PATCH', SETTINGS, { ...change, merge: notificationRules.length === 0 ? {} : { notificationRules } })
    await hub.send(session, 'PATCH', '/api/account/quiet-hours', { zone: 'Asia/Kathmandu', was: '' })
    return session
  }
  const open = async (session: Session, options: BrowserContextOptions = {}) => {
    const page = await hub.openPage(session, options)
    await page.goto('/settings#notification-rules')
    await card(page).getByRole('button', { name: 'Add rule' }).waitFor()
    return page
  }
  const card = (page: Page) => page.getByRole('region', { name: 'Notification rules', exact: true })
  const names = (page: Page) => card(page).locator('ol > li > div > p:first-child')
  const stored = async (session: Session): Promise<unknown> => {
    const response = await hub.send(session, 'GET', SETTINGS)
    return (response as { readonly settings: { readonly notificationRules?: unknown } }).settings.notificationRules // as the route declares
  }
  const save = async (page: Page) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('rules are added, moved, edited and deleted, and the hub stores each change', async () => {
    const ada = await createPerson('ada@example.com')
    await using page = await open(ada)
    const dialog = page.getByRole('dialog')
    await card(page).getByText('No rules yet. All channels get all messages.').waitFor()

    // A new rule has all channels. Only tags that an admin trusts are suggested.
    await card(page).getByRole('button', { name: 'Add rule' }).click()
    await choose(page, 'Applies to', 'Systems with a tag')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Cannot be blank').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'team=web' }).count(), 0)
    await dialog.getByRole('button', { name: 'env=prod' }).click()
    await choose(page, 'Time of day', 'Certain hours')
    await dialog.getByText('In the time zone of your quiet hours: Asia/Kathmandu').waitFor()
    await dialog.getByLabel('To', { exact: true }).fill('22:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be another time than the beginning.').waitFor()
    await dialog.getByLabel('To', { exact: true }).fill('06:00')
    await auditPage(page, 'a new notification rule')
    await save(page)
    await names(page).getByText('1. env=prod, 10:00 PM – 6:00 AM').waitFor()
    const night = { tag: 'env=prod', from: '22:00', to: '06:00', channels: [MAIL, PAGER] }
    assert.deepEqual(await stored(ada), [night])

    await card(page).getByRole('button', { name: 'Add rule' }).click()
    await choose(page, 'Severity', 'Warning')
    await dialog.getByRole('checkbox', { name: MAIL }).uncheck()
    await dialog.getByRole('checkbox', { name: PAGER }).uncheck()
    await dialog.getByText('No channel is chosen: nothing is sent.').waitFor()
    await save(page)
    await card(page).getByRole('listitem').filter({ hasText: '2. All systems, Warning' }).getByText('Send nothing').waitFor()
    const silent = { severity: 'warning', channels: [] }
    assert.deepEqual(await stored(ada), [night, silent])

    // The focus stays at the button of the rule that moves, also at the end of the list.
    const isStored = settingsStored(page)
    await card(page).getByRole('button', { name: 'Move rule 2: All systems, Warning up' }).focus()
    await page.keyboard.press('Enter')
    await names(page).getByText('1. All systems, Warning').waitFor()
    await card(page).getByText('The rule is now number 1 of 2.').waitFor()
    await waitUntil(page, `document.activeElement.getAttribute('aria-label') === 'Move rule 1: All systems, Warning up'`)
    await isStored
    assert.deepEqual(await stored(ada), [silent, night])

    await card(page).getByRole('button', { name: 'Edit rule 1: All systems, Warning' }).click()
    await choose(page, 'Severity', 'Critical')
    await dialog.getByRole('checkbox', { name: PAGER }).check()
    await save(page)
    await names(page).getByText('1. All systems, Critical').waitFor()
    // The button that opened the dialog is gone, so the focus is at the list.
    const isFocusInCard = `document.activeElement.closest('#notification-rules') !== null`
    await waitUntil(page, isFocusInCard)
    const critical = { severity: 'critical', channels: [PAGER] }
    assert.deepEqual(await stored(ada), [critical, night])
    await auditPage(page, 'a list of notification rules')

    for (const [name, left] of [
      ['2: env=prod, 10:00 PM – 6:00 AM', [critical]],
      ['1: All systems, Critical', undefined],
    ] as const) {
      await card(page)
        .getByRole('button', { name: `Delete rule ${name}` })
        .click()
      const question = page.getByRole('alertdialog', { name: `Delete rule ${name}?` })
      await question.getByRole('button', { name: 'Delete' }).click()
      await question.waitFor({ state: 'detached' })
      await waitUntil(page, isFocusInCard)
      assert.deepEqual(await stored(ada), left)
    }
    await card(page).getByText('No rules yet. All channels get all messages.').waitFor()
  })

  test('channels that were removed from the settings are marked, and a rule keeps them until they are unchecked', async () => {
    const old = 'old@example.com'
    const bob = await createPerson('bob@example.com', [{ channels: [old] }, { severity: 'warning', channels: [old, MAIL] }])
    await using page = await open(bob)
    const [first, second] = ['1. All systems', '2. All systems, Warning'].map((hasText) =>
      card(page).locator('ol > li').filter({ hasText }),
    )
    await first?.getByText('All channels of this rule were removed, so the message goes to all channels.').waitFor()
    await second?.getByText('removed from your settings').waitFor()
    await auditPage(page, 'rules with removed channels')
    await card(page).getByRole('button', { name: 'Edit rule 2: All systems, Warning' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: PAGER }).check()
    await save(page)
    assert.deepEqual(await stored(bob), [{ channels: [old] }, { severity: 'warning', channels: [old, MAIL, PAGER] }])
    await card(page).getByRole('button', { name: 'Edit rule 1: All systems' }).click()
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: `${old} removed from your settings` })
      .uncheck()
    await save(page)
    assert.deepEqual(await stored(bob), [{ channels: [] }, { severity: 'warning', channels: [old, MAIL, PAGER] }])
  })

  test('two pages lose no rule of each other, and a rule that the other page deleted is not overwritten', async () => {
    const [warning, critical] = [
      { severity: 'warning', channels: [MAIL] },
      { severity: 'critical', channels: [PAGER] },
    ] as const
    const eve = await createPerson('eve@example.com', [warning])
    await using page = await open(eve)
    await names(page).getByText('1. All systems, Warning').waitFor()
    await hub.send(eve, 'PATCH', SETTINGS, { merge: { notificationRules: [critical, warning] } })
    await card(page).getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: PAGER }).uncheck()
    await save(page)
    assert.deepEqual(await stored(eve), [critical, warning, { channels: [MAIL] }])
    await names(page).getByText('3. All systems').waitFor()

    await hub.send(eve, 'PATCH', SETTINGS, { merge: { notificationRules: [critical] } })
    await card(page).getByRole('button', { name: 'Edit rule 2: All systems, Warning' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: MAIL }).uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByText('Deleted in the meantime. Reload the page.').waitFor()
    assert.deepEqual(await stored(eve), [critical])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await names(page).getByText('2. All systems, Warning').waitFor({ state: 'detached' })
  })

  test('a rule that this dashboard cannot read is shown as unknown and sent unchanged; a refused change is undone', async () => {
    const known = { severity: 'warning', channels: [MAIL] }
    const newer = { metric: 'CPU', channels: [MAIL] }
    const dan = await createPerson('dan@example.com', [known])
    await using page = await hub.openPage(dan)
    // The response of a newer hub, whose rules have a field more. This hub refuses them.
    await page.route(`**${SETTINGS}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      const { settings, ...rest } = (await response.json()) as { readonly settings: object } // as the route declares
      return route.fulfill({ response, json: { ...rest, settings: { ...settings, notificationRules: [newer, known] } } })
    })
    await page.goto('/settings#notification-rules')
    await names(page).getByText('1. Unknown rule').waitFor()
    await card(page).getByText('This dashboard cannot read the rule. It stays as it is.').waitFor()
    assert.equal(await card(page).getByRole('button', { name: 'Edit rule 1: Unknown rule' }).count(), 0)
    await auditPage(page, 'an unknown notification rule')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH' && request.url().endsWith(SETTINGS))
    await card(page).getByRole('button', { name: 'Move rule 1: Unknown rule down' }).click()
    assert.deepEqual((await sent).postDataJSON(), { merge: { notificationRules: [known, newer] } })
    await card(page).getByRole('alert').waitFor()
    await names(page).getByText('1. Unknown rule').waitFor()
    assert.deepEqual(await stored(dan), [known])
  })

  test('a failed request shows the error, and the card tries again', async () => {
    const fay = await createPerson('fay@example.com')
    await using page = await hub.openPage(fay)
    await page.route(`**${SETTINGS}`, (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
    await page.goto('/settings#notification-rules')
    await card(page).getByText('Not now.').waitFor()
    await page.unroute(`**${SETTINGS}`)
    await card(page).getByRole('button', { name: 'Try again' }).click()
    await card(page).getByText('No rules yet. All channels get all messages.').waitFor()
  })

  test('card and dialog are in German and fit a phone', async () => {
    const ida = await createPerson('ida@example.com', [
      { tag: 'env=prod', severity: 'warning', from: '22:00', to: '06:00', channels: [PAGER] },
    ])
    await using page = await hub.openPage(ida, { locale: 'de-DE', viewport: { width: 360, height: 740 } })
    await page.goto('/settings#notification-rules')
    const rules = page.getByRole('region', { name: 'Benachrichtigungsregeln', exact: true })
    await rules.getByText('1. env=prod, Warnung, 22:00 – 06:00').waitFor()
    await rules.getByRole('button', { name: 'Regel 1: env=prod, Warnung, 22:00 – 06:00 bearbeiten' }).click()
    await page.getByRole('dialog', { name: 'Benachrichtigungsregel bearbeiten' }).getByRole('checkbox', { name: PAGER }).waitFor()
    await auditPage(page, 'a notification rule in German')
  })
})
