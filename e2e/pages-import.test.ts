import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { foreignBackup } from '../hub/test/transfer/source/foreign-backup.ts'
import { foreignFolder } from '../hub/test/transfer/source/foreign-folder.ts'
import { auditPage } from './pages-audit.ts'
import { PASSWORD, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const addSuperuser =
  "insert into _superusers select created, 'root@example.com', emailVisibility, 'root00000000000', password, 'x' || tokenKey, updated, verified from _superusers limit 1"

describe('import in the back-office', { timeout: 12 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let backup = ''

  before(async () => {
    const theirs = made.use(foreignFolder())
    {
      using database = new DatabaseSync(theirs.database)
      database.exec(addSuperuser)
    }
    backup = await foreignBackup(theirs)
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
  })
  after(() => made.disposeAsync())

  test('a file that is no backup of a hub is refused with one sentence', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/#/settings/import')
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'other.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') })
    await page
      .getByRole('alert')
      .getByText(/^Cannot import /)
      .waitFor()
    await auditPage(page, 'a refused import')
  })

  test('shows what an import does, imports it after the password, and restarts', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/#/settings/import')
    await page.locator('input[type=file]').setInputFiles(backup)
    const table = page.getByRole('table')
    await table.getByRole('row', { name: /^systems 4 4 0 0$/ }).waitFor()
    await auditPage(page, 'the rehearsal of an import')
    const systems = await hub.send(admin, 'GET', '/api/collections/systems/records')
    assert.equal((systems as { readonly totalItems: number }).totalItems, 0, 'nothing is written before the confirmation')

    await page.getByRole('switch', { name: 'root@example.com' }).click()
    await page.getByLabel('Your password').fill('a wrong password')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Stop the other hub, and give this one its address.').waitFor()
    await auditPage(page, 'a finished import')
    await page.goto('/_/#/collections?collection=systems')
    await page.getByText('system-0').first().waitFor()
    const root = await hub.send(admin, 'GET', "/api/collections/users/records?filter=(email='root@example.com')")
    assert.deepEqual(
      (root as { readonly items: readonly { readonly role: string }[] }).items.map(({ role }) => role),
      ['admin'],
    )
    assert.deepEqual(hub.pageErrors, [])
  })
})
