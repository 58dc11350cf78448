import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const POLICIES = '/api/collections/alert_policies/records'

type Rule = {
  readonly name: string
  readonly threshold?: number
  readonly minutes: number
  readonly off: boolean
  readonly severity: string
  readonly warning?: number
  readonly warningMinutes?: number
}

/** Card with the alert policies on the page of alerts. */
describe('alert policies', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  const ids = new Map<string, string>()

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          for (const [name, tags] of [
            ['atlas', ['env=prod']],
            ['lab', []],
          ] as const) {
            const tagged = { tags, tagSources: tags.map((tag) => ({ tag, sources: ['admin'] })), accessTags: tags }
            const values = { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, ...tagged }
            const { id } = await database.write((unit) => store.insert(unit, 'systems', values))
            ids.set(name, id)
          }
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (options = {}) => {
    const page = await hub.openPage(admin, options)
    await page.goto('/alerts')
    await page.getByRole('heading', { name: 'Policies' }).waitFor()
    return page
  }
  const rulesOf = async (system: string): Promise<readonly Rule[]> => {
    const response = await hub.send(admin, 'GET', `/api/vedette/systems/${ids.get(system) ?? ''}/alert-rules`)
    return (response as { readonly items: readonly Rule[] }).items // as the route declares
  }
  const ruleOf = async (system: string, name: string) => {
    const rule = (await rulesOf(system)).find((one) => one.name === name)
    return rule && { threshold: rule.threshold, minutes: rule.minutes, off: rule.off }
  }

  test('without a policy the recommended ones are offered, and one press sets them for all systems', async () => {
    await using page = await open()
    await page.getByText('No policies yet.').waitFor()
    await page.getByText('2 systems without a rule').waitFor()
    await page.getByRole('button', { name: 'Use recommended for all systems' }).click()
    await page.getByText('Recommended policies set for all systems').waitFor()
    await page.getByRole('list', { name: 'Policies' }).getByRole('listitem').nth(5).waitFor()
    await page.getByText('2 systems without a rule').waitFor({ state: 'detached' })
    const found = await rulesOf('lab')
    assert.deepEqual(found.map(({ name }) => name).toSorted(), ['CPU', 'ContainerHealth', 'Disk', 'Memory', 'Status', 'SystemdFailed'])
    assert.deepEqual(await ruleOf('lab', 'CPU'), { threshold: 90, minutes: 15, off: false })
  })

  test('a policy for a tag changes one value, is edited and deleted; what it leaves empty comes from the policy for all systems', async () => {
    await using page = await open()
    const list = page.getByRole('list', { name: 'Policies' })
    await page.getByRole('button', { name: 'Add policy' }).click()
    const dialog = page.getByRole('dialog')
    await choose(page, 'Applies to', 'Systems with a tag')
    await choose(page, 'Alert', 'CPU')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Cannot be blank').waitFor()
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('env=prod')
    await dialog.getByLabel('Threshold').fill('75')
    await dialog.getByLabel('Resolves at').fill('80')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be on the good side of the threshold.').waitFor()
    await dialog.getByLabel('Resolves at').fill('60')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list.getByText('On, 75 %').waitFor()
    assert.deepEqual(await ruleOf('atlas', 'CPU'), { threshold: 75, minutes: 15, off: false })
    assert.deepEqual(await ruleOf('lab', 'CPU'), { threshold: 90, minutes: 15, off: false })

    await page.getByRole('button', { name: 'Add policy' }).click()
    await choose(page, 'Alert', 'CPU')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('You already have a policy for this alert on these systems.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'Add policy' }).waitFor()

    await page.getByRole('button', { name: 'Edit the policy CPU, env=prod' }).click()
    await choose(page, 'State', 'Off')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await list.getByText('Off', { exact: true }).waitFor()
    assert.equal((await ruleOf('atlas', 'CPU'))?.off, true)

    await page.getByRole('button', { name: 'Delete the policy CPU, env=prod' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await list.getByText('Off', { exact: true }).waitFor({ state: 'detached' })
    assert.deepEqual(await ruleOf('atlas', 'CPU'), { threshold: 90, minutes: 15, off: false })
  })

  test('a policy with two thresholds warns at the first, and refuses one on the wrong side', async () => {
    await using page = await open()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add policy' }).click()
    await choose(page, 'Applies to', 'Systems with a tag')
    await choose(page, 'Alert', 'Memory')
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('env=prod')
    await dialog.getByLabel('Threshold').fill('90')
    await dialog.getByLabel('Warning at').fill('95')
    await dialog.getByLabel('Minutes of the warning').fill('5')
    await auditPage(page, 'a policy with two thresholds')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be on the good side of the threshold.').waitFor()
    await dialog.getByLabel('Warning at').fill('70')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('On, 90 %, warning at 70 %, 5 min').waitFor()
    const rule = (await rulesOf('atlas')).find(({ name }) => name === 'Memory')
    assert.deepEqual([rule?.severity, rule?.warning, rule?.warningMinutes], ['critical', 70, 5])

    await page.getByRole('button', { name: 'Edit the policy Memory, env=prod' }).click()
    await choose(page, 'Severity', 'Warning')
    await dialog.getByLabel('Warning at').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const edited = (await rulesOf('atlas')).find(({ name }) => name === 'Memory')
    assert.deepEqual([edited?.severity, edited?.warning], ['warning', undefined])
  })

  test('a policy that another client creates appears, and one about a part names it', async () => {
    await using page = await open()
    await hub.send(admin, 'POST', POLICIES, {
      user: admin.record.id,
      system: ids.get('lab') ?? '',
      name: 'Container',
      target: 'web',
      values: {},
    })
    await page.getByRole('listitem').filter({ hasText: 'Container (web)' }).getByText('Values of wider policies').waitFor()
    await auditPage(page, 'the list of policies')

    // Policies of other users are not the admin's own, also when the page is opened anew and when they change.
    const account = { email: 'other@example.com', password: 'another-horse-2', passwordConfirm: 'another-horse-2', role: 'user' }
    const other = (await hub.send(admin, 'POST', '/api/collections/users/records', account)) as { readonly id: string } // a record
    const policyOf = (user: string, name: string) => ({ user, tag: '', name, values: { off: false, threshold: 12 } })
    await hub.send(admin, 'POST', POLICIES, policyOf(other.id, 'GPU'))
    await hub.send(admin, 'POST', POLICIES, policyOf(admin.record.id, 'Temperature'))
    const list = page.getByRole('list', { name: 'Policies' })
    await list.getByText('Temperature', { exact: true }).waitFor()
    assert.equal(await list.getByText('GPU', { exact: true }).count(), 0)
    await page.reload()
    await list.getByText('Temperature', { exact: true }).waitFor()
    assert.equal(await list.getByText('GPU', { exact: true }).count(), 0)
  })

  test('the dialog fits a phone', async () => {
    await using page = await open({ viewport: { width: 360, height: 740 } })
    await page.getByRole('button', { name: 'Add policy' }).click()
    const dialog = page.getByRole('dialog')
    await choose(page, 'Applies to', 'Systems with a tag')
    await dialog.getByRole('button', { name: 'env=prod' }).click()
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth)
    assert.ok(wide <= 360, `the page is ${wide} px wide`)
    await auditPage(page, 'a new policy on a phone')
  })
})
