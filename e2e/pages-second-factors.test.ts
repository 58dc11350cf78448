import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOfStep, stepAt } from '../hub/test/second-factor-scene.ts'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

describe('second factors', { timeout: 4 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let secret = ''
  let recoveryCodes: readonly string[] = []

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
  })
  after(() => made.disposeAsync())

  /** Enters email and password on the sign-in page. */
  async function enterPassword(page: Page): Promise<void> {
    await page.goto('/')
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('settings page sets up an authenticator app with a QR code, and shows the recovery codes once', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings#second-factors')
    const card = page.getByRole('region', { name: 'Two-factor sign-in', exact: true })
    await card.getByRole('button', { name: 'Set up authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
    assert.match(secret, /^[A-Z2-7]{32}$/)
    await auditPage(page, 'settings-set-up-app')
    const code = dialog.getByLabel('Code', { exact: true })
    await code.fill('12345')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong or was used already.').waitFor()
    const now = codeOfStep(secret, stepAt(Date.now()))
    await code.fill(`${now.slice(0, 3)} ${now.slice(3)}`)
    await page.keyboard.press('Enter')
    const saved = page.getByRole('dialog', { name: 'Recovery codes' })
    await saved.getByRole('listitem').first().waitFor()
    recoveryCodes = await saved.getByRole('listitem').allTextContents()
    assert.equal(recoveryCodes.length, 10)
    await saved.getByRole('button', { name: 'I have saved them' }).click()
    await card.getByText('10 recovery codes left').waitFor()
    assert.ok(!(await page.content()).includes(recoveryCodes[0] ?? ''))
  })

  test('sign-in page takes a code after the password, or a recovery code', async () => {
    await using page = await hub.openPage()
    await enterPassword(page)
    const code = page.getByLabel('Code', { exact: true })
    await code.fill(codeOfStep(secret, stepAt(Date.now()) - 5))
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong or was used already.').waitFor()
    await auditPage(page, 'login-app-code')
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    const field = page.getByLabel('Recovery code')
    await field.fill((recoveryCodes[0] ?? '').toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await page.goto('/settings#second-factors')
    await page.getByText('9 recovery codes left').waitFor()

    const card = page.getByRole('region', { name: 'Two-factor sign-in', exact: true })
    await card.getByRole('button', { name: 'Turn off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off' })
    await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '')
    await page.keyboard.press('Enter')
    await card.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
    await using other = await hub.openPage()
    await enterPassword(other)
    await other.getByRole('heading', { name: 'No systems yet' }).waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })

  test('a passkey is added in the settings, signs in alone, and is not offered at an IP address', async () => {
    await using page = await hub.openPage()
    await enterPassword(page)
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await page.goto('/settings#second-factors')
    const card = page.getByRole('region', { name: 'Two-factor sign-in', exact: true })
    await card.getByText('Not available here: passkeys need a host name.').waitFor()
    assert.equal(await card.getByRole('button', { name: 'Add passkey' }).count(), 0)

    const named = hub.address.replace('127.0.0.1', 'localhost')
    await using local = await hub.openPage(undefined, { baseURL: named })
    await addAuthenticator(local)
    await enterPassword(local)
    await local.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await local.goto('/settings#second-factors')
    const own = local.getByRole('region', { name: 'Two-factor sign-in', exact: true })
    await own.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = local.getByRole('dialog', { name: 'Add passkey' })
    await dialog.getByLabel('Name').fill('Laptop')
    await local.keyboard.press('Enter')
    await own.getByText('Laptop', { exact: true }).waitFor()
    await auditPage(local, 'settings-passkeys')

    await local.evaluate('localStorage.clear()')
    await local.goto('/')
    await local.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await auditPage(local, 'login-passkey')
    await local.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await local.getByRole('heading', { name: 'No systems yet' }).waitFor()

    await local.goto('/settings#second-factors')
    await own
      .getByText(/last used/)
      .first()
      .waitFor()
    await own.getByRole('button', { name: 'Remove Laptop' }).click()
    await local.getByRole('alertdialog', { name: 'Remove Laptop?' }).getByRole('button', { name: 'Remove', exact: true }).click()
    await own.getByText('Laptop', { exact: true }).waitFor({ state: 'detached' })
    await local.evaluate('localStorage.clear()')
    await local.goto('/')
    await local.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await local.getByText('The passkey was not accepted. Try again.').waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })
})

/** Gives a page's browser an authenticator that verifies the person at once (Chrome DevTools protocol, WebAuthn). */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
