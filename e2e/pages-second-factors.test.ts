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
  let person: Session
  let secret = ''
  let recoveryCodes: readonly string[] = []

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    person = await hub.createUser('anna@example.com', 'user')
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

  test('a required second factor is set up at the sign-in, and an admin removes it', async () => {
    const password = { identity: ADMIN, password: PASSWORD }
    admin = (await hub.send(admin, 'POST', '/api/collections/users/auth-with-password', password)) as Session // of the route
    const { secret: own } = (await hub.send(admin, 'POST', '/api/account/authenticator-app', { password: PASSWORD })) as { secret: string } // of the route
    const code = codeOfStep(own, stepAt(Date.now()))
    admin = (await hub.send(admin, 'POST', '/api/account/authenticator-app/confirm', { code })) as Session // of the route
    await using office = await hub.openPage(admin)
    await office.goto('/_/#/settings/auth-providers')
    await office.getByLabel('Require a second factor').click()
    const saved = office.waitForResponse((response) => response.request().method() === 'PATCH')
    await office.getByRole('button', { name: 'Save', exact: true }).first().click()
    assert.equal((await saved).status(), 200)

    await using page = await hub.openPage(person)
    await page.goto('/')
    await page.getByLabel('Email').fill('anna@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const text = page.getByLabel('Secret', { exact: true })
    await text.waitFor()
    await auditPage(page, 'login-set-up-app')
    await page.getByLabel('Code', { exact: true }).fill(codeOfStep(await text.inputValue(), stepAt(Date.now())))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()

    await office.goto(`/_/#/collections?collection=users&recordId=${person.record.id}`)
    await office.getByRole('button', { name: 'Remove second factors' }).click()
    await office.getByRole('alertdialog').getByRole('button', { name: 'Remove second factors' }).click()
    await office.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
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
