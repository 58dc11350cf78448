import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

const SYSTEMS = '/api/collections/systems/records'

/** Tags of the systems by name of the system, each with its sources. */
const fleet: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  atlas: { 'env=prod': ['admin'], db: ['admin', 'person'] },
  edge: { 'env=prod': ['admin'], 'rack=4': ['agent'] },
  lab: { 'env=test': ['person'], 'data center': ['admin'] },
  mail: {},
}

/** Tags of systems in All Systems, on the page of a system and in the command palette, and saved views. */
describe('tags and saved views', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const ids = new Map<string, string>()
  let hub: PagesHub
  let admin: Session
  let reader: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          for (const [name, its] of Object.entries(fleet)) {
            const tags = Object.keys(its).toSorted()
            const tagSources = tags.map((tag) => ({ tag, sources: its[tag] ?? [] }))
            const values = { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, tags, tagSources }
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
    // An open dialog hides the rest of the page from assistive technology.
    await page.getByRole('link', { name: 'Vedette, all systems', includeHidden: true }).waitFor()
    return page
  }
  const shownLines = (page: Page, lines: readonly string[]) =>
    waitUntil(
      page,
      `JSON.stringify([...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a, button span').textContent)) === ${JSON.stringify(JSON.stringify(lines))}`,
    )
  const sourcesOf = async (name: string) => {
    const record = (await hub.send(admin, 'GET', `${SYSTEMS}/${ids.get(name) ?? ''}`)) as { readonly tagSources?: readonly object[] } // a system
    return record.tagSources
  }

  test('All Systems filters by tags, sorts by them, and a tag leads to its systems', async () => {
    await using page = await open('/?filter=tag:prod')
    await shownLines(page, ['atlas', 'edge'])
    await page.getByPlaceholder('Filter...').fill('tag:"data center"')
    await shownLines(page, ['lab'])
    await page.waitForURL(/filter=tag%3A%22data\+center%22/)
    await page.getByPlaceholder('Filter...').fill('tag:pro')
    await page.getByRole('link', { name: 'env=prod' }).click()
    await page.waitForURL(/filter=tag%3Aenv%3Dprod/)
    await shownLines(page, ['atlas', 'edge'])
    await page.getByPlaceholder('Filter...').fill('')
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await shownLines(page, ['lab', 'atlas', 'edge', 'mail'])
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'edge', exact: true }) })
    await row.getByText('+1').waitFor()
    await row.getByRole('link', { name: 'env=prod', exact: true }).click()
    await shownLines(page, ['atlas', 'edge'])
  })

  test('groups sum their states, fold by keyboard, and are remembered', async () => {
    await using page = await open('/')
    await page.getByRole('button', { name: 'Group by' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Tag env=' }).click()
    await shownLines(page, ['prod', 'atlas', 'edge', 'test', 'lab', 'Without this tag', 'mail'])
    await page.waitForURL(/group=key%3Aenv/)
    const production = page.getByRole('row', { name: /^prod/ })
    assert.match(await production.innerText(), /2\s*paused/)
    await auditPage(page, 'All Systems in groups')
    const heading = page.getByRole('button', { name: 'prod 2 systems' })
    await heading.press('Enter')
    await shownLines(page, ['prod', 'test', 'lab', 'Without this tag', 'mail'])
    assert.equal(await page.evaluate('document.activeElement?.getAttribute("aria-expanded")'), 'false', 'the focus stays')
    await page.goto('/')
    await shownLines(page, ['prod', 'test', 'lab', 'Without this tag', 'mail'])
    await page.getByRole('button', { name: 'Group by' }).click()
    await page.getByRole('menuitem', { name: 'Expand all groups' }).click()
    await page.getByRole('button', { name: 'Group by' }).click()
    await page.getByRole('menuitemradio', { name: 'Every tag' }).click()
    await shownLines(page, [
      'data center',
      'lab',
      'db',
      'atlas',
      'env=prod',
      'atlas',
      'edge',
      'env=test',
      'lab',
      'rack=4',
      'edge',
      'Without this tag',
      'mail',
    ])
  })

  test('command palette leads to the systems of a tag', async () => {
    await using page = await open('/settings')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill('tag:data')
    await page.getByRole('option', { name: /data center/ }).click()
    await page.waitForURL(/\?filter=tag%3A%22data\+center%22/)
    await shownLines(page, ['lab'])
  })

  test('page of a system adds, removes and accepts tags, and withdraws that; an error of the hub stands at the field', async () => {
    await using page = await open('/system/edge')
    await page.getByRole('link', { name: 'rack=4 agent' }).waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of "edge"' })
    assert.equal(await dialog.getByRole('button', { name: 'Remove the tag rack=4' }).count(), 0, 'its agent keeps this tag')
    await auditPage(page, 'tags of a system')
    await dialog.getByRole('button', { name: 'Accept the tag rack=4' }).click()
    await dialog.getByLabel('Add tags').fill('web, eu')
    await dialog.getByLabel('Add tags').press('Enter')
    await dialog.getByRole('list', { name: 'Tags of other systems' }).getByRole('button', { name: 'db' }).click()
    await dialog.getByRole('button', { name: 'Remove the tag web' }).click()
    await dialog.getByLabel('Add tags').fill('last')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const byAdmin = ['db', 'env=prod', 'eu', 'last'].map((tag) => ({ tag, sources: ['admin'] }))
    assert.deepEqual(await sourcesOf('edge'), [...byAdmin, { tag: 'rack=4', sources: ['admin', 'agent'] }])
    await page.getByRole('link', { name: 'rack=4', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await dialog.getByLabel('Add tags').fill(Array.from({ length: 50 }, (_, index) => `t${index}`).join())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('input[name=tags][aria-invalid=true]').waitFor()
    await dialog.getByLabel('Add tags').fill('a"b')
    await dialog.getByText('A tag cannot contain quotes or control characters.').waitFor()
    await dialog.getByLabel('Add tags').fill('')
    await dialog.getByRole('button', { name: 'Withdraw the acceptance of rack=4' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await sourcesOf('edge'), [...byAdmin, { tag: 'rack=4', sources: ['agent'] }])
  })

  test('bulk edit changes the selected systems, and says which were refused', async () => {
    await hub.send(admin, 'PATCH', `${SYSTEMS}/${ids.get('mail') ?? ''}`, { 'tags+': ['old'] })
    await using page = await open('/')
    for (const name of ['atlas', 'edge', 'mail']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('region', { name: 'Selected systems' }).getByRole('button', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of 3 systems' })
    await dialog.getByRole('textbox', { name: 'Add tags' }).fill('bulk')
    await dialog.getByRole('textbox', { name: 'Remove tags' }).fill('old, rack=4')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    const refused = dialog.getByRole('alert')
    await refused.getByText('1 system was not changed').waitFor()
    assert.match(await refused.innerText(), /edge: The tag "rack=4" stays, because it has other sources: agent/)
    assert.deepEqual(await sourcesOf('mail'), [{ tag: 'bulk', sources: ['admin'] }])
    assert.ok(!JSON.stringify(await sourcesOf('edge')).includes('bulk'))
  })

  test('views are saved, shared, opened by a read-only account, renamed and deleted', async () => {
    await using page = await open('/?filter=tag:prod&group=key:env&dialog=save-view')
    const saving = page.getByRole('dialog', { name: 'Save view' })
    await saving.getByLabel('Name').fill('Production')
    await saving.getByRole('switch', { name: 'Share' }).click()
    await saving.getByRole('button', { name: 'Save', exact: true }).click()
    await saving.waitFor({ state: 'detached' })

    await using other = await open('/', reader)
    await other.getByRole('button', { name: 'Saved views' }).click()
    await other.getByRole('menuitem', { name: 'Production' }).click()
    await shownLines(other, ['prod', 'atlas', 'edge'])
    assert.equal(await other.getByPlaceholder('Filter...').inputValue(), 'tag:prod')
    await other.getByRole('button', { name: 'Saved views' }).click()
    await other.getByRole('menuitem', { name: 'Save this view…' }).click()
    await other.getByRole('dialog').getByLabel('Name').waitFor()
    assert.equal(await other.getByRole('switch').count(), 0, 'a read-only account shares no view')

    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: 'Manage views…' }).click()
    const managing = page.getByRole('dialog', { name: 'Manage views' })
    await managing.getByRole('button', { name: 'Rename the view Production' }).click()
    await managing.getByRole('textbox').fill('Live')
    await managing.getByRole('button', { name: 'Save', exact: true }).click()
    await managing.getByRole('button', { name: 'Rename the view Live' }).waitFor()
    await auditPage(page, 'saved views')
    await managing.getByRole('button', { name: 'Delete the view Live' }).click()
    await managing.getByRole('button', { name: 'Delete', exact: true }).click()
    await managing.getByText('No saved views yet.').waitFor()
  })
})
