import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CLIENT, testOidc } from '../hub/test/oidc-server.ts'
import { testSmtp, type TestSmtp } from '../hub/test/smtp-server.ts'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const NEW_PASSWORD = 'another horse battery'

/** Pages that links in emails open, in each of their states. */
describe('pages of accounts', { timeout: 12 * STEP_MS }, () => {
  let hub: PagesHub
  let smtp: TestSmtp
  let admin: Session
  let page: Page

  /** The first group of the pattern in the next email that matches it. Other emails may arrive too, such as about new sign-in locations. */
  const inLetter = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec((await smtp.next()).mail.text ?? '') ?? []
      if (found !== undefined) return found
    }
  }
  const link = () => inLetter(/^(https?:\S+)$/m)
  const code = () => inLetter(/^ {4}(\d{6})$/m)
  const signIn = async (password: string) => {
    await page.goto('/')
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  before(async () => {
    smtp = await testSmtp()
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    page = await hub.openPage()
  })

  after(async () => {
    await hub[Symbol.asyncDispose]()
    await smtp[Symbol.asyncDispose]()
  })

  test('forgot-password page on a hub without mail says so, and shows the command for a new password', async () => {
    await page.goto('/forgot-password')
    await page.getByText('This hub sends no mail').waitFor()
    await page.getByText('vedette user password EMAIL').waitFor()
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('status').getByText('This hub sends no mail').waitFor()
    assert.equal(await page.getByText('a message is on its way').count(), 0)
    await auditPage(page, 'forgot password, no mail')
    await hub.send(admin, 'PATCH', '/api/settings', {
      smtp: { enabled: true, host: '127.0.0.1', port: smtp.port },
      meta: { senderAddress: 'tower@example.com', appURL: hub.address },
    })
  })

  test('forgot-password page emails a link that sets a new password, and the old password stops working', async () => {
    await page.reload()
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a message is on its way').waitFor()
    await auditPage(page, 'forgot password, sent')
    const reset = await link()
    await page.goto(reset)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await auditPage(page, 'reset password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('The new password is set').waitFor()
    await auditPage(page, 'reset password, done')

    await page.goto(reset)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This link is no longer good').waitFor()
    await auditPage(page, 'reset password, used')
    await page.getByRole('link', { name: 'Ask for a new link' }).click()
    await page.getByRole('button', { name: 'Send the link' }).waitFor()

    await signIn(PASSWORD)
    await page.getByRole('alert').waitFor()
    await signIn(NEW_PASSWORD)
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    admin = JSON.parse((await page.evaluate<string>(`localStorage.getItem('pocketbase_auth')`)) ?? '') as Session // what the client keeps
  })

  test('expired link shows that it has expired, in the language of the page', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')
    await using german = await hub.openPage(undefined, { locale: 'de-DE' })
    await german.goto(`/reset-password/x.${claims}.y`)
    await german.getByText('Dieser Link gilt nicht mehr').waitFor()
    await german.getByRole('link', { name: 'Neuen Link anfordern' }).waitFor()
    assert.equal(await german.getByRole('button').count(), 0)
    await auditPage(german, 'reset password, expired, in German')
    await german.context().close()
  })

  test('verification link confirms an email address once', async () => {
    const email = 'new@example.com'
    await hub.send(admin, 'POST', '/api/collections/users/records', { email, password: PASSWORD, passwordConfirm: PASSWORD })
    await hub.send(admin, 'POST', '/api/collections/users/request-verification', { email })
    const verify = await link()
    await using visitor = await hub.openPage()
    await visitor.goto(verify)
    const confirm = visitor.getByRole('button', { name: 'Confirm the address' })
    await confirm.waitFor()
    await auditPage(visitor, 'verify address')
    await confirm.click()
    await visitor.getByText('The address is confirmed').waitFor()
    await visitor.goto(verify)
    await confirm.click()
    await visitor.getByText('This link is no longer good').waitFor()
    await visitor.context().close()
  })

  test('link to change the email address requires the password', async () => {
    await page.goto('/settings')
    const profile = page.getByRole('region', { name: 'Profile', exact: true })
    await profile.getByRole('button', { name: 'Change the address' }).click()
    await profile.getByText('This is the address you have.').waitFor()
    await profile.getByLabel('Email').fill('moved@example.com')
    await profile.getByRole('button', { name: 'Change the address' }).click()
    await profile.getByText('A message is on its way to moved@example.com').waitFor()
    await auditPage(page, 'change address, asked')
    await page.goto(await link())
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Use this address' }).click()
    await page.getByText('The password is wrong').waitFor()
    await auditPage(page, 'change address, wrong password')
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Use this address' }).click()
    await page.getByText('The new address is yours').waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByLabel('Email').fill('moved@example.com')
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    admin = JSON.parse((await page.evaluate<string>(`localStorage.getItem('pocketbase_auth')`)) ?? '') as Session // what the client keeps
  })

  test('§2 login: an emailed code is the second factor', async () => {
    await hub.send(admin, 'PATCH', '/api/collections/users', { otp: { enabled: true }, mfa: { enabled: true } })
    await using visitor = await hub.openPage()
    await visitor.goto('/')
    await visitor.getByLabel('Email').fill('moved@example.com')
    await visitor.getByLabel('Password').fill(NEW_PASSWORD)
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    const field = visitor.getByLabel('Code')
    await field.waitFor()
    await field.fill((await code()) === '000000' ? '111111' : '000000')
    await field.press('Enter')
    await visitor.getByText('The code is wrong or too old').waitFor()
    await auditPage(visitor, 'second step')
    await visitor.getByRole('button', { name: 'Send another code' }).click()
    await visitor.getByText('Another code is on its way').waitFor()
    const another = await code()
    await field.fill(`${another.slice(0, 3)} ${another.slice(3)}`)
    await field.press('Enter')
    await visitor.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await visitor.context().close()
    await hub.send(admin, 'PATCH', '/api/collections/users', { mfa: { enabled: false } })
  })

  test('§2 login: each provider has a button', async () => {
    await using oidc = await testOidc({ me: { email: 'moved@example.com', email_verified: true } }, `${hub.address}/api/oauth2-redirect`)
    oidc.expect('me')
    const providers = [{ name: 'oidc', displayName: 'Tower', issuer: oidc.issuer, ...CLIENT }]
    await hub.send(admin, 'PATCH', '/api/collections/users', { oauth2: { enabled: true, providers } })
    await using visitor = await hub.openPage()
    await visitor.goto('/')
    const button = visitor.getByRole('button', { name: 'Sign in with Tower' })
    await button.waitFor()
    await auditPage(visitor, 'login with a provider')
    await button.click()
    await visitor.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await visitor.context().close()
    assert.deepEqual(hub.pageErrors, [])
  })
})
