import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const SYSTEMS = '/api/collections/systems/records'
const GROUPS = '/api/collections/groups/records'
const PAGE = '/settings/access'

/** Tags of the systems by name of the system, each with its sources. */
const fleet: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  atlas: { 'env=prod': ['admin'], db: ['token'] },
  edge: { 'env=prod': ['admin', 'agent'] },
  lab: { 'env=prod': ['agent'] },
}

type List = { readonly items: readonly { readonly [field: string]: unknown }[] }

/** Page for admins with groups and grants by tag. */
describe('groups and access', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let anna: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          for (const [name, its] of Object.entries(fleet)) {
            const tagSources = Object.keys(its).map((tag) => ({ tag, sources: its[tag] ?? [] }))
            const accessTags = Object.keys(its).filter((tag) => its[tag]?.some((source) => source !== 'agent'))
            const values = { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, tags: Object.keys(its) }
            await database.write((unit) => store.insert(unit, 'systems', { ...values, tagSources, accessTags }))
          }
        },
      }),
    )
    admin = await hub.createAdmin()
    anna = await hub.createUser('anna@example.com', 'user')
    await hub.createUser('rita@example.com', 'readonly')
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (session = admin, options = {}) => {
    const page = await hub.openPage(session, options)
    await page.goto(PAGE)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }
  const systemsOf = async (session: Session) =>
    ((await hub.send(session, 'GET', `${SYSTEMS}?sort=name`)) as List).items.map(({ name }) => name)

  test('people who are no admins see no entry, and the address is that of no page', async () => {
    await using page = await open(anna)
    await page.getByRole('heading', { name: '404' }).waitFor()
    await page.goto('/settings')
    await page.getByRole('region', { name: 'API keys', exact: true }).waitFor()
    assert.equal(await page.getByText('Groups and access').count(), 0)
  })

  test('a group with a granted tag opens the systems where an admin or a token set the tag', async () => {
    assert.deepEqual(await systemsOf(anna), [])
    await using page = await hub.openPage(admin)
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Open groups and access' }).click()
    await page.getByText('No groups yet.').waitFor()
    await page.getByText('No tags are granted to single people.').waitFor()
    await auditPage(page, 'groups and access without groups')
    await page.getByRole('button', { name: 'Add group' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Cannot be blank').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Operations')
    await dialog.getByRole('searchbox', { name: 'Find a person' }).fill('ANNA')
    await dialog.getByRole('checkbox', { name: 'anna@example.com' }).press('Space')
    await dialog.getByRole('searchbox').fill('nobody')
    await dialog.getByText('No account matches.').waitFor()
    await dialog.getByRole('searchbox').fill('')
    await dialog.getByRole('checkbox', { name: 'rita@example.com' }).check()
    await auditPage(page, 'a new group')
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
    await page.getByText('2 members: anna@example.com, rita@example.com').waitFor()

    await page.getByRole('button', { name: 'Grant a tag to Operations' }).click()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('a,b')
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
    await dialog.getByText('Enter one tag, without a comma').waitFor()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('prod')
    await dialog.getByText('No system has this tag').waitFor()
    await dialog.getByRole('button', { name: 'env=prod' }).click()
    await dialog.getByText('Opens 2 systems').waitFor()
    await dialog.getByText('1 system with this tag stays closed until an admin accepts the tag there').waitFor()
    await auditPage(page, 'a new grant')
    await dialog.getByRole('combobox', { name: 'Right' }).click()
    await page.getByRole('option', { name: 'View and change' }).click()
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const grants = page.getByRole('list', { name: 'Granted to Operations' })
    await grants.getByText('Opens 2 systems').waitFor()
    assert.deepEqual(await systemsOf(anna), ['atlas', 'edge'])
    await auditPage(page, 'groups and access')

    await page.getByRole('button', { name: 'Grant a tag to Operations' }).click()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('env=prod')
    await dialog.getByRole('textbox', { name: 'Tag' }).press('Enter')
    await dialog.getByText('This tag is granted there already.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('the page follows changes of other admins, and a right is changed in its line', async () => {
    await using page = await open()
    const line = page.getByRole('list', { name: 'Granted to Operations' }).getByRole('listitem')
    await line.getByText('Opens 2 systems').waitFor()
    const [lab] = ((await hub.send(admin, 'GET', `${SYSTEMS}?filter=${encodeURIComponent("name = 'lab'")}`)) as List).items
    await hub.send(admin, 'PATCH', `${SYSTEMS}/${String(lab?.['id'])}`, { 'tags+': ['env=prod'] })
    await line.getByText('Opens 3 systems').waitFor()
    await hub.send(admin, 'PATCH', `${SYSTEMS}/${String(lab?.['id'])}`, { 'tags-': ['env=prod'] })
    await line.getByText('stays closed').waitFor()
    await hub.send(admin, 'POST', GROUPS, { name: 'Another', members: [] })
    await page.getByRole('heading', { name: 'Another' }).waitFor()
    await line.getByRole('combobox').click()
    await page.getByRole('option', { name: 'View', exact: true }).click()
    await line
      .getByRole('combobox')
      .filter({ hasText: /^View$/ })
      .waitFor()
    await page.getByRole('button', { name: 'Delete the group Another' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the group "Another"?' })
    await question.getByText('Nobody loses access to a system.').waitFor()
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Another' }).waitFor({ state: 'detached' })
  })

  test('a person gets a tag of her own; a deletion says who loses how many systems, and takes effect at once', async () => {
    await using page = await open()
    const dialog = page.getByRole('dialog')
    await page.getByRole('region', { name: 'Grants to single people' }).getByRole('button', { name: 'Grant a tag' }).click()
    await dialog.getByRole('combobox', { name: 'Person' }).filter({ hasText: 'anna@example.com' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('db')
    await dialog.getByRole('textbox', { name: 'Tag' }).press('Enter')
    await page.getByRole('list', { name: 'Granted to anna@example.com' }).getByText('Opens 1 system').waitFor()

    await page.getByRole('button', { name: 'Edit the group Operations' }).click()
    await dialog.getByRole('checkbox', { name: 'rita@example.com' }).uncheck()
    await dialog.getByText('rita@example.com no longer sees 2 systems').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Delete the group Operations' }).click()
    const question = page.getByRole('alertdialog')
    const losses = question.getByRole('list', { name: 'Loss of access' }).getByRole('listitem')
    await losses.first().waitFor()
    assert.deepEqual(await losses.allTextContents(), [
      'anna@example.com no longer sees 1 system',
      'rita@example.com no longer sees 2 systems',
    ])
    await auditPage(page, 'deletion of a group')
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No groups yet.').waitFor()
    assert.deepEqual(await systemsOf(anna), ['atlas'])
    await page.getByRole('button', { name: 'Remove the grant of db to anna@example.com' }).click()
    await question.getByText('anna@example.com no longer sees 1 system').waitFor()
    await question.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No tags are granted to single people.').waitFor()
    assert.deepEqual(await systemsOf(anna), [])
  })

  test('a tag rule is added with a count of its systems, refused at its field, changed and deleted', async () => {
    await using page = await open()
    const card = page.getByRole('region', { name: 'Tag rules', exact: true })
    await card.getByText('No rules yet.').waitFor()
    await card.getByRole('button', { name: 'Add rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('named')
    const filter = dialog.getByRole('textbox', { name: 'Filter' })
    await filter.fill('tags = "env=prod"')
    await dialog.getByText('Matches 3 systems now').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('A rule cannot depend on tags').waitFor()
    await filter.fill('')
    await dialog.getByRole('button', { name: 'Address begins with 10.0.' }).click()
    await dialog.getByText('Matches 0 systems now').waitFor()
    await filter.fill('name =')
    await dialog.getByText('Not a valid filter. Cannot read the filter').waitFor()
    await auditPage(page, 'a new tag rule')
    await filter.fill('name ~ "a"')
    await dialog.getByText('Matches 2 systems now').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await card.getByText('2 systems have the tag by rule').waitFor()
    await card.getByRole('button', { name: 'Edit the rule name ~ "a" for named' }).click()
    await filter.fill('name = "lab"')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('1 system has the tag by rule').waitFor()
    await card.getByRole('button', { name: 'Delete the rule name = "lab" for named' }).click()
    await page.getByRole('alertdialog').getByText('1 system has the tag by rule').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await card.getByText('No rules yet.').waitFor()
  })

  test('all tags are listed with their systems, sources and what depends on them', async () => {
    await hub.send(admin, 'POST', '/api/account/api-keys', { name: 'Limited', scope: 'read', tags: ['env=prod', 'unused'] })
    await hub.send(admin, 'POST', '/api/collections/saved_views/records', {
      name: 'Production',
      search: 'filter=tag%3Aenv%3Dprod',
      user: admin.record.id,
    })
    await using page = await open()
    const list = page.getByRole('list', { name: 'All tags' })
    const line = list.getByRole('listitem').filter({ hasText: 'env=prod' })
    await line.getByText('Used by 1 API key, 1 saved view').waitFor()
    await line.getByText('3 systems').waitFor()
    await line.getByText('by admin, agent').waitFor()
    await list.getByText('unused').waitFor()
    await page.getByRole('searchbox', { name: 'Find a tag' }).fill('DB')
    await list.getByRole('listitem').filter({ hasText: 'unused' }).waitFor({ state: 'detached' })
    await list.getByText('Nothing depends on it').waitFor()
    await list.getByRole('link', { name: 'db' }).click()
    await page.waitForURL(/filter=tag%3Adb/)
  })

  test('a tag is deleted after a question about what depends on it, and the deletion is undone', async () => {
    await hub.send(admin, 'POST', '/api/collections/tag_access/records', { tag: 'env=prod', user: anna.record.id, may: 'view' })
    assert.deepEqual(await systemsOf(anna), ['atlas', 'edge'])
    await using page = await open()
    await page.getByRole('button', { name: 'Delete the tag env=prod' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the tag "env=prod"?' })
    await question.getByText('Systems whose agents report it keep it.').waitFor()
    await question.getByText('Saved views and API keys that name it stay').waitFor()
    await question.getByText('anna@example.com no longer sees 2 systems').waitFor()
    await auditPage(page, 'deletion of a tag')
    await question.getByRole('button', { name: 'Delete', exact: true }).click()
    const deleted = page.getByRole('region', { name: 'Deleted in the last day' })
    await deleted.getByText('3 systems').waitFor()
    await page.getByText('No tags are granted to single people.').waitFor()
    assert.deepEqual(await systemsOf(anna), [])
    await auditPage(page, 'deleted tags')
    await deleted.getByRole('button', { name: 'Undo the deletion of env=prod' }).click()
    await deleted.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Granted to anna@example.com' }).getByRole('link', { name: 'env=prod' }).waitFor()
    assert.deepEqual(await systemsOf(anna), ['atlas', 'edge'])
  })

  test('a group maps to a value of a claim and gives a role', async () => {
    await using page = await open()
    await page.getByRole('button', { name: 'Add group' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('By claim')
    await dialog.getByRole('textbox', { name: "Value of the provider's group claim" }).fill('vedette-admins')
    await choose(page, 'Role of the members by claim', 'Admin')
    await dialog.getByText('They become admins of the hub at their next sign-in.').waitFor()
    await auditPage(page, 'a group by claim')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 members by the claim "vedette-admins"').waitFor()
    const { items } = (await hub.send(admin, 'GET', `${GROUPS}?filter=claim!=""`)) as List // a page of groups
    assert.deepEqual(
      items.map(({ name, claim, role }) => [name, claim, role]),
      [['By claim', 'vedette-admins', 'admin']],
    )
  })

  test('errors stand at their field in German, and lists that fail to load leave the others usable', async () => {
    await hub.send(admin, 'POST', GROUPS, { name: 'Betrieb', members: [anna.record.id] })
    await using page = await hub.openPage(admin, { locale: 'de-DE', viewport: { width: 360, height: 800 } })
    await page.route(/\/users\/records/, (route) => route.fulfill({ status: 400, json: { status: 400, message: 'Broken.', data: {} } }))
    await page.goto(PAGE)
    await page.getByText('Nicht alles konnte geladen werden: Broken.').waitFor()
    await page.getByText('1 Mitglied', { exact: true }).waitFor()
    await auditPage(page, 'groups and access without accounts')
    await page.unroute(/\/users\/records/)
    await page.getByRole('button', { name: 'Erneut versuchen' }).click()
    await page.getByText('1 Mitglied: anna@example.com').waitFor()
    await page.getByRole('button', { name: 'Gruppe hinzufügen' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Betrieb')
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
    await dialog.locator('input[name=name][aria-invalid=true]').waitFor()
    await dialog.getByText('Schon vergeben').waitFor()
  })
})
