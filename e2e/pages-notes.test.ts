import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

const SYSTEMS = '/api/collections/systems/records'

/** A created record. */
type Created = { readonly id: string }

/** Notes, links and defined fields on the page of a system, and the filter of All Systems by them. */
describe('notes about systems', { timeout: 4 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const ids = new Map<string, string>()
  let hub: PagesHub
  let admin: Session
  let reader: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          for (const name of ['atlas', 'edge']) {
            const values = { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {} }
            const { id } = await database.write((unit) => store.insert(unit, 'systems', values))
            ids.set(name, id)
          }
        },
      }),
    )
    admin = await hub.createAdmin()
    reader = await hub.createUser('reader@example.com', 'readonly')
    for (const id of ids.values()) await hub.send(admin, 'PATCH', `${SYSTEMS}/${id}`, { users: [admin.record.id, reader.record.id] })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (address: string, session = admin) => {
    const page = await hub.openPage(session)
    await page.goto(address)
    await page.getByRole('link', { name: 'Vedette, all systems', includeHidden: true }).waitFor()
    return page
  }

  test('an admin defines fields and writes notes, and a reader sees them without buttons', async () => {
    await using page = await open('/system/atlas')
    const section = page.getByRole('region', { name: 'Notes' })
    await section.getByText('No notes, links or fields yet.').waitFor()
    await section.getByRole('button', { name: 'Edit fields' }).click()
    const fields = page.getByRole('dialog', { name: 'Fields' })
    for (const [name, kind, unit] of [
      ['Rack', 'Text', ''],
      ['Price', 'Price', 'EUR'],
      ['Bought', 'Date', ''],
      ['Spare', 'Number', 'U'],
    ] as const) {
      await fields.getByLabel('Name').fill(name)
      await choose(page, 'Kind', kind)
      await fields.getByLabel(kind === 'Price' ? 'Currency' : 'Unit').fill(unit)
      await fields.getByRole('button', { name: 'Add' }).click()
      await fields.getByRole('button', { name: `Remove the field ${name}` }).waitFor()
    }
    await fields.getByLabel('Name').fill('RACK')
    await fields.getByRole('button', { name: 'Add' }).click()
    await fields.locator('input[name=name][aria-invalid=true]').waitFor()
    await auditPage(page, 'defined fields')
    await fields.getByRole('button', { name: 'Remove the field Spare' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await fields.getByRole('button', { name: 'Remove the field Spare' }).waitFor({ state: 'detached' })
    await fields.getByRole('button', { name: 'Close' }).last().click()

    await section.getByRole('button', { name: 'Edit notes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Notes about "atlas"' })
    await dialog.getByLabel('Notes').fill('In the cellar\n<b>Key</b> at the desk')
    await dialog.getByRole('button', { name: 'Add link' }).click()
    await dialog.getByLabel('Name of link 1').fill('Manual')
    await dialog.getByLabel('Address of link 1').fill('javascript:alert(1)')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('input[name=link-url-0][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Address of link 1').fill('https://example.com/manual')
    await dialog.getByLabel('Rack').fill('A 7')
    await dialog.getByLabel('Price (EUR)').fill('1200.5')
    await dialog.getByLabel('Bought').fill('2025-01-31')
    await auditPage(page, 'dialog of notes')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    await using other = await open('/system/atlas', reader)
    const shown = other.getByRole('region', { name: 'Notes' })
    await shown.getByText('<b>Key</b> at the desk').waitFor()
    assert.equal(await shown.getByRole('link', { name: 'Manual' }).getAttribute('href'), 'https://example.com/manual')
    assert.match(await shown.innerText(), /Price\s+1,200\.50 EUR/)
    assert.equal(await shown.getByRole('button').count(), 0, 'a read-only account changes nothing')
    await auditPage(other, 'notes of a system')
  })

  test('All Systems filters by values and notes', async () => {
    await using page = await open('/?filter=rack:a', reader)
    const shownNames = (names: readonly string[]) =>
      waitUntil(
        page,
        `JSON.stringify([...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a').textContent)) === ${JSON.stringify(JSON.stringify(names))}`,
      )
    await shownNames(['atlas'])
    await page.getByPlaceholder('Filter...').fill('price:<1000')
    await page.getByText('No system matches').waitFor()
    await page.getByPlaceholder('Filter...').fill('note:cellar status:paused')
    await shownNames(['atlas'])
    await page.getByPlaceholder('Filter...').fill('bought:')
    await shownNames(['atlas', 'edge'])
  })

  test('changes by another client appear at once, and nothing that a person types is lost', async () => {
    const [system, fields, notes] = [
      ids.get('edge') ?? '',
      '/api/collections/system_fields/records',
      '/api/collections/system_notes/records',
    ]
    await using watching = await open('/system/edge', reader)
    const shown = watching.getByRole('region', { name: 'Notes' })
    await shown.getByText('No notes, links or fields yet.').waitFor()
    await using typing = await open('/system/edge')
    await typing.getByRole('region', { name: 'Notes' }).getByRole('button', { name: 'Edit notes' }).click()
    const dialog = typing.getByRole('dialog', { name: 'Notes about "edge"' })
    await dialog.getByLabel('Notes').fill('typed by hand')

    const room = (await hub.send(admin, 'POST', fields, { name: 'Room', kind: 'text', unit: '' })) as Created
    const values = { [room.id]: 'B 12' }
    const links = [{ name: 'Plan', url: 'https://example.com/plan' }]
    const written = (await hub.send(admin, 'POST', notes, { system, notes: 'by a script', links, values })) as Created
    await shown.getByText('by a script').waitFor()
    await shown.getByRole('link', { name: 'Plan' }).waitFor()
    await shown.getByText('B 12').waitFor()
    await dialog.getByLabel('Room').waitFor()
    assert.equal(await dialog.getByLabel('Room').inputValue(), 'B 12')
    assert.equal(await dialog.getByLabel('Notes').inputValue(), 'typed by hand')
    await dialog.getByText('Someone else changed a part that you edit. Saving replaces their change.').waitFor()
    await auditPage(typing, 'notes that changed while a person types')
    const saving = typing.waitForRequest((request) => request.method() === 'PATCH')
    await dialog.getByRole('button', { name: 'Save' }).click()
    // A part that the person did not touch is not sent: it may have changed again meanwhile.
    assert.deepEqual((await saving).postDataJSON(), { system, notes: 'typed by hand' })
    await dialog.waitFor({ state: 'detached' })
    await shown.getByText('typed by hand').waitFor()
    await shown.getByText('B 12').waitFor()
    await shown.getByRole('link', { name: 'Plan' }).waitFor()

    await typing.getByRole('button', { name: 'Edit fields' }).click()
    const defined = typing.getByRole('dialog', { name: 'Fields' })
    await defined.getByLabel('Name').fill('Owner')
    await hub.send(admin, 'POST', fields, { name: 'Floor', kind: 'text', unit: '' })
    await defined.getByRole('button', { name: 'Remove the field Floor' }).waitFor()
    assert.equal(await defined.getByLabel('Name').inputValue(), 'Owner')
    await defined.getByRole('button', { name: 'Add' }).click()
    await defined.getByRole('button', { name: 'Remove the field Owner' }).waitFor()
    assert.equal(await defined.getByLabel('Name').inputValue(), '')

    await hub.send(admin, 'DELETE', `${notes}/${written.id}`)
    await shown.getByText('No notes, links or fields yet.').waitFor()
  })
})
