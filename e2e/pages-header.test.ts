import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ADMIN, PASSWORD, startPagesHub, STEP_MS, type PagesHub } from './pages-hub.ts'

/** The browser sends the header as a proxy would, from an address that the hub lists as a proxy. */
const withHeader = (email: string) => ({ extraHTTPHeaders: { 'Remote-Email': email } })

describe('sign-in by the header of a proxy', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub

  before(async () => {
    hub = await startPagesHub({ args: ['--auth-header', 'Remote-Email', '--trusted-proxies', '127.0.0.1'] })
    await hub.createAdmin()
    await hub.createUser('ops@example.com', 'user')
  })
  after(() => hub[Symbol.asyncDispose]())

  test('the dashboard opens without the sign-in form, and after signing out it shows the form', async () => {
    await using page = await hub.openPage(undefined, withHeader('ops@example.com'))
    await page.goto('/')
    const other = await page.context().newPage()
    await other.goto('/')
    await other.getByRole('button', { name: 'Account' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    // Neither tab signs in again by the header.
    await other.getByLabel('Password').waitFor()
    await page.getByLabel('Password').waitFor()
    // The person may use another account.
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
  })

  test('the back-office opens for an admin', async () => {
    await using page = await hub.openPage(undefined, withHeader(ADMIN))
    await page.goto('/_/')
    await page.getByRole('navigation').first().waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
  })

  test('an unknown address shows the sign-in form with the reason, and no header shows the plain form', async () => {
    await using unknown = await hub.openPage(undefined, withHeader('nobody@example.com'))
    await unknown.goto('/')
    await unknown.getByText('No account has the email address of the sign-in header.').waitFor()
    await unknown.getByLabel('Password').waitFor()
    await using plain = await hub.openPage()
    await plain.goto('/')
    await plain.getByLabel('Password').waitFor()
    assert.equal(await plain.getByRole('alert').count(), 0)
    assert.deepEqual(hub.pageErrors, [])
  })
})
