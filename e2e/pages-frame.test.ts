import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ADMIN, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const READER = 'reader@example.com'

const backOffice = {
  Users: '/_/',
  Systems: '/_/#/collections?collection=systems',
  Logs: '/_/#/logs',
  Backups: '/_/#/settings/backups',
  'Auth providers': '/_/#/settings/auth-providers',
}

/** Maximum number of checks of a page that is still loading. */
const MOST_LOOKS = 100

/** Header and menus around every page, by role. */
describe('the frame of the pages', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let reader: Session

  const storedSession = (page: Page) => page.evaluate<string | null>('localStorage.getItem("pocketbase_auth")')
  const menuOf = async (page: Page, name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    return page.getByRole('menu')
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    reader = await hub.createUser(READER, 'readonly')
    await hub.addSystem(admin, { name: 'north', port: await freePort() })
    await hub.addSystem(admin, { name: 'south', port: await freePort() })
  })

  after(() => hub[Symbol.asyncDispose]())

  test('§2 loading: a centred spinner until it is known what to show', async () => {
    await using page = await hub.openPage()
    const held = Promise.withResolvers<void>()
    // The hub's own response, delayed until the spinner was visible.
    await page.route('**/api/beszel/first-run', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    const spinner = page.getByRole('status', { name: 'Loading' })
    await assertCentred(spinner.locator('svg'), page.locator('body'))
    held.resolve()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await spinner.count(), 0)
  })

  test('§2 login: it stands alone on the path of a page, with the default icon', async () => {
    await using page = await hub.openPage()
    await page.goto('/system/north')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByRole('banner').count(), 0)
    assert.equal(await page.title(), 'Login / Vedette')
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/static/favicon.svg')
  })

  test('§2 forgot-password: the answer is the same whether or not there is such an account', async () => {
    await using page = await hub.openPage()
    const answers: (string | null)[] = []
    for (const email of [ADMIN, 'nobody@example.com']) {
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      answers.push(await page.getByRole('status').textContent())
    }
    // This hub sends no email and says so. Another test file reads the text of a hub that sends email.
    assert.match(answers[0] ?? '', /^This hub sends no mail/)
    assert.equal(answers[1], answers[0])
  })

  for (const keys of ['Control+k', 'Meta+k']) {
    test(`§2 top bar: ${keys} opens the command palette, which opens a system`, async () => {
      await using page = await hub.openPage(admin)
      await page.goto('/')
      await page.getByRole('link', { name: 'north', exact: true }).waitFor()
      await page.keyboard.press(keys)
      await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('nort')
      await page.getByRole('option', { name: /north/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/system/north')
      await page.getByRole('heading', { name: 'north' }).waitFor()
    })
  }

  test('§2 top bar: the home link goes to the root, the search button opens the palette', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/south')
    const home = page.getByRole('link', { name: 'Vedette, all systems' })
    assert.equal(await home.getAttribute('href'), '/')
    await home.click()
    await page.getByRole('heading', { name: 'All Systems' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/')
    await page.getByRole('button', { name: 'Search systems, pages' }).click()
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  })

  test('§2 user menu: the e-mail, and for an admin the back-office in new tabs', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    const menu = await menuOf(page, 'Account')
    await menu.getByText(ADMIN, { exact: true }).waitFor()
    for (const [name, href] of Object.entries(backOffice)) {
      const entry = menu.getByRole('menuitem', { name, exact: true })
      assert.deepEqual([await entry.getAttribute('href'), await entry.getAttribute('target')], [href, '_blank'], name)
    }
  })

  test('§6 roles: readonly has no Add System, no back-office, and no palette entries for them', async () => {
    await using page = await hub.openPage(reader)
    await page.goto('/')
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add System' }).count(), 0)
    const menu = await menuOf(page, 'Account')
    await menu.getByText(READER, { exact: true }).waitFor()
    assert.deepEqual(await menu.getByRole('menuitem').allTextContents(), ['Documentation', 'Log out'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    const entries = await page.getByRole('option').allTextContents()
    assert.deepEqual(entries, ['All Systems', 'Settings', 'Alerts', 'Compare systems', 'Light', 'Dark', 'System'])
  })

  test('§2 unknown path: a centred 404 heading below the top bar', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/no/such/page')
    const heading = page.getByRole('heading', { name: '404', exact: true })
    await heading.waitFor()
    await assertCentred(heading, page.getByRole('main'))
    await page.getByRole('banner').waitFor()
  })

  test('§9 theme: it is the system’s until one is chosen, which is stored under ui-theme', async () => {
    await using page = await hub.openPage(admin, { colorScheme: 'dark' })
    await page.goto('/')
    await page.locator('html.dark').waitFor()
    assert.equal(await page.evaluate('localStorage.getItem("ui-theme")'), null)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html.light').waitFor()
    const menu = await menuOf(page, 'Theme')
    await menu.getByRole('menuitemradio', { name: 'System', checked: true }).waitFor()
    assert.deepEqual(await menu.getByRole('menuitemradio').allTextContents(), ['Light', 'Dark', 'System'])
    await menu.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.locator('html.dark').waitFor()
    assert.equal(await page.evaluate('localStorage.getItem("ui-theme")'), 'dark')
    await page.reload()
    await page.locator('html.dark').waitFor()
  })

  test('§2 user menu: a menu that is opened while the page loads stays open', async () => {
    await using page = await hub.openPage(admin)
    const held = Promise.withResolvers<void>()
    // The hub's own file, delayed until the menu is open.
    await page.route('**/assets/fleet-page-*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    const menu = await menuOf(page, 'Account')
    const entry = menu.getByRole('menuitem', { name: 'Log out' })
    await entry.waitFor()
    held.resolve()
    await page.getByRole('heading', { name: 'All Systems' }).waitFor()
    await entry.click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('§2 user menu: Log out clears the session, in every tab', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByRole('heading', { name: 'All Systems' }).waitFor()
    const menu = await menuOf(page, 'Account')
    await menu.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await storedSession(page), null)
    await other.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('§4 start-up: an empty list renews the session, once; one with systems does not', async () => {
    await using page = await hub.openPage(reader)
    const renewals: string[] = []
    page.on('request', (request) => request.url().includes('auth-refresh') && renewals.push(request.method()))
    const renewed = page.waitForResponse('**/api/collections/users/auth-refresh')
    await page.goto('/')
    assert.equal((await renewed).status(), 200)
    await page.getByText('live', { exact: true }).waitFor()
    assert.deepEqual(renewals, ['POST'])
    await using other = await hub.openPage(admin)
    other.on('request', (request) => request.url().includes('auth-refresh') && renewals.push('with systems'))
    await other.goto('/')
    await other.getByRole('link', { name: 'north', exact: true }).waitFor()
    await other.getByText('live', { exact: true }).waitFor()
    assert.deepEqual(renewals, ['POST'])
  })

  test('§8 auth refresh fails: destructive toast, the session is cleared, the login stands alone', async () => {
    hub.setPassword(READER, 'another horse battery')
    await using page = await hub.openPage(reader)
    await page.goto('/')
    const toast = page.getByRole('listitem').filter({ hasText: 'Failed to authenticate' })
    await toast.getByText('Please log in again', { exact: true }).waitFor()
    assert.match((await toast.getAttribute('class')) ?? '', /border-crit/)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await storedSession(page), null)
    await page.keyboard.press('F8')
    await page.locator('[role=region]:focus-within').filter({ has: toast }).waitFor({ state: 'attached' })
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})

/**
 * Asserts that the middle of the element is the middle of the other, to a pixel. While a page loads one spinner may replace another, so
 * the check repeats until the element is centred.
 */
async function assertCentred(element: Locator, within: Locator): Promise<void> {
  await element.waitFor()
  let boxes = ''
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const [inner, outer] = [await element.boundingBox(), await within.boundingBox()]
    if (inner !== null && outer !== null && isCentred(inner, outer)) return
    boxes = JSON.stringify({ inner, outer })
  }
  assert.fail(boxes)
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

function isCentred(inner: Box, outer: Box): boolean {
  const apart = (start: 'x' | 'y', size: 'width' | 'height') => Math.abs(inner[start] + inner[size] / 2 - (outer[start] + outer[size] / 2))
  return apart('x', 'width') <= 1 && apart('y', 'height') <= 1
}
