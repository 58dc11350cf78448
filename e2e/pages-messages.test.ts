import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

const SETTINGS = '/api/account/settings'

/** Card with the grouping window and the templates of messages in the settings. */
describe('messages', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub

  before(async () => {
    hub = made.use(await startPagesHub())
    await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const createPerson = async (email: string, merge: object = {}): Promise<Session> => {
    const session = await hub.createUser(email, 'admin')
    await hub.send(session, 'PATCH', SETTINGS, { merge })
    return session
  }
  const cardOf = (page: Page, name = 'Messages') => page.getByRole('region', { name, exact: true })
  const open = async (session: Session, options: BrowserContextOptions = {}) => {
    const page = await hub.openPage(session, options)
    await page.goto('/settings#messages')
    return page
  }
  const stored = async (session: Session): Promise<{ readonly [name: string]: unknown }> => {
    const response = await hub.send(session, 'GET', SETTINGS)
    return (response as { readonly settings: { readonly [name: string]: unknown } }).settings // as the route declares
  }

  test('placeholders are inserted by click and keyboard, the preview follows, and the hub stores the templates', async () => {
    const ada = await createPerson('ada@example.com')
    await using page = await open(ada)
    const card = cardOf(page)
    // Without templates, the preview has the standard messages of five states.
    await card.getByText('Example system CPU above threshold').first().waitFor()
    await card.getByText('Connection to Example system is down \u{1F534}').waitFor()
    assert.equal(await card.getByRole('region', { name: 'Preview' }).getByRole('listitem').count(), 5)
    assert.equal(await card.getByRole('button', { name: 'Reset to standard' }).isDisabled(), true)
    await auditPage(page, 'the card of messages')

    const title = card.getByLabel('Title', { exact: true })
    const text = card.getByLabel('Text', { exact: true })
    await title.fill('On : help')
    await title.press('Home')
    for (let step = 0; step < 3; step++) await title.press('ArrowRight')
    await card.getByRole('button', { name: 'Insert {system}: name of the system' }).click()
    assert.equal(await title.inputValue(), 'On {system}: help')
    // The caret is behind the placeholder, so that typing goes on there.
    await page.keyboard.type('!')
    assert.equal(await title.inputValue(), 'On {system}!: help')
    await text.focus()
    await card.getByRole('button', { name: 'Insert {value}: value with unit' }).focus()
    await page.keyboard.press('Enter')
    await waitUntil(page, `document.activeElement.name === 'text'`)
    await page.keyboard.type('\nof {threshold}')
    await card.getByText('On Example system!: help').first().waitFor()
    await card.getByText('93.20%\nof 80%').first().waitFor()
    await auditPage(page, 'templates with their preview')

    const isStored = settingsStored(page)
    await card.getByRole('button', { name: 'Save' }).click()
    assert.equal((await isStored).status(), 200)
    await card.getByText('Saved').waitFor()
    assert.deepEqual((await stored(ada))['messageTemplates'], { title: 'On {system}!: help', text: '{value}\nof {threshold}' })

    const isReset = settingsStored(page)
    await card.getByRole('button', { name: 'Reset to standard' }).click()
    await card.getByText('Example system CPU above threshold').first().waitFor()
    assert.equal(await title.inputValue(), '')
    assert.equal((await isReset).status(), 200)
    assert.equal((await stored(ada))['messageTemplates'], undefined)
  })

  test('an unknown placeholder is named, keeps the preview, and is not sent', async () => {
    const bob = await createPerson('bob@example.com', { messageTemplates: { title: '{system}' } })
    await using page = await open(bob)
    const card = cardOf(page)
    const title = card.getByLabel('Title', { exact: true })
    await title.fill('{host}')
    await card.getByText('Unknown placeholder: {host}').waitFor()
    await auditPage(page, 'a template with a problem')
    await card.getByRole('button', { name: 'Save' }).click()
    await waitUntil(page, `document.activeElement.name === 'title'`)
    assert.deepEqual((await stored(bob))['messageTemplates'], { title: '{system}' })
    await title.fill('{alert}')
    await card.getByText('Connection', { exact: true }).waitFor()
    const isStored = settingsStored(page)
    await title.press('Enter')
    await isStored
    assert.deepEqual((await stored(bob))['messageTemplates'], { title: '{alert}' })

    // The hub knows each placeholder that the card offers.
    await card.getByLabel('Text', { exact: true }).focus()
    const buttons = card.getByRole('list', { name: 'Placeholders' }).getByRole('button')
    const count = await buttons.count()
    for (let at = 0; at < count; at++) await buttons.nth(at).click()
    assert.equal(await card.getByLabel('Text', { exact: true }).inputValue(), (await buttons.allTextContents()).join(''))
    const isAccepted = settingsStored(page)
    // By keyboard: the preview of the long text may arrive during a click and move the button away.
    await card.getByRole('button', { name: 'Save' }).press('Enter')
    assert.equal((await isAccepted).status(), 200)
  })

  test('the grouping window is stored, limited to 60 minutes, and 0 removes it', async () => {
    const eve = await createPerson('eve@example.com')
    await using page = await open(eve)
    const minutes = cardOf(page).getByLabel('Grouping window in minutes')
    for (const [typed, shown, expected] of [
      ['15', '15', 15],
      ['90', '60', 60],
      ['0', '0', undefined],
    ] as const) {
      const isStored = settingsStored(page)
      await minutes.fill(typed)
      await minutes.press('Enter')
      assert.equal((await isStored).status(), 200)
      assert.equal(await minutes.inputValue(), shown)
      assert.equal((await stored(eve))['groupMinutes'], expected)
    }
  })

  test('a failed preview shows the error and tries again, and a refused change is undone', async () => {
    const fay = await createPerson('fay@example.com')
    await using page = await hub.openPage(fay)
    const PREVIEW = '**/api/vedette/message-preview'
    await page.route(PREVIEW, (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
    await page.goto('/settings#messages')
    const card = cardOf(page)
    await card.getByText('Not now.').waitFor()
    await page.unroute(PREVIEW)
    await card.getByRole('button', { name: 'Try again' }).click()
    await card.getByText('Connection to Example system is down \u{1F534}').waitFor()
    await page.route(`**${SETTINGS}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: { message: 'Refused.' } }) : route.continue(),
    )
    await card.getByLabel('Title', { exact: true }).fill('{system}')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByRole('alert').getByText('Refused.').waitFor()
    assert.equal(await card.getByLabel('Title', { exact: true }).inputValue(), '{system}')
    assert.equal((await stored(fay))['messageTemplates'], undefined)
  })

  test('the card is in German, previews in the language of notifications and fits a phone', async () => {
    const ida = await createPerson('ida@example.com', { language: 'de', messageTemplates: { title: '{state}: {system}' } })
    await using page = await open(ida, { locale: 'de-DE', viewport: { width: 360, height: 740 } })
    const card = cardOf(page, 'Nachrichten')
    await card.getByText('weiterhin aktiv: Beispielsystem').waitFor()
    await card.getByText('Verbindung zu Beispielsystem ist unterbrochen: No answer').waitFor()
    await auditPage(page, 'the card of messages in German')
  })
})
