import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const POLICIES = '/api/collections/alert_policies/records'
const ALERTS = '/api/beszel/user-alerts'

type Policy = { readonly id: string; readonly system: string; readonly target: string; readonly values: object }

/** Dialog of the alert sheet that sets a warning and a critical threshold for one system. */
describe('two thresholds of one system', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let system = ''

  before(async () => {
    hub = made.use(
      await startPagesHub({
        prepare: async ({ database, store }) => {
          const tags = { tags: ['env=prod'], tagSources: [{ tag: 'env=prod', sources: ['admin'] }], accessTags: ['env=prod'] }
          const values = { name: 'atlas', host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, ...tags }
          system = (await database.write((unit) => store.insert(unit, 'systems', values))).id
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  beforeEach(async () => {
    for (const { id } of await policies()) await hub.send(admin, 'DELETE', `${POLICIES}/${id}`)
    for (const { id } of await ownAlerts()) await hub.send(admin, 'DELETE', `/api/collections/alerts/records/${id}`)
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const listed = async <Row>(path: string) => ((await hub.send(admin, 'GET', path)) as { readonly items: readonly Row[] }).items // a list
  const policies = () => listed<Policy>(POLICIES)
  const ownAlerts = () => listed<{ readonly id: string }>('/api/collections/alerts/records')
  const setOwn = (values: object) => hub.send(admin, 'POST', ALERTS, { systems: [system], name: 'CPU', value: 80, min: 5, ...values })
  const ruleOf = async (name: string) => {
    const rules = await listed<{ readonly [field: string]: unknown }>(`/api/vedette/systems/${system}/alert-rules`)
    const { threshold, minutes, warning, warningMinutes, clear, off } = rules.find((rule) => rule['name'] === name) ?? {}
    return { threshold, minutes, warning, warningMinutes, clear, off }
  }

  const openSheet = async (options: BrowserContextOptions = {}) => {
    const page = await hub.openPage(admin, options)
    await page.goto('/')
    await page.getByRole('button', { name: /^Alerts for atlas/ }).click()
    return page
  }
  const cardOf = (page: Page, name: string) =>
    page
      .getByRole('dialog', { name: 'Alerts for atlas' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('switch', { name, exact: true }) })
  const openLevels = async (page: Page, alert = 'CPU') => {
    await page.getByRole('button', { name: `Warning and critical: ${alert}`, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Warning and critical: ${alert}, atlas` })
    await dialog.getByLabel('Warning at').waitFor()
    return dialog
  }

  test('a rule with two thresholds is not copied to other systems, and the sheet says so', async () => {
    const other = await hub.addSystem(admin, { name: 'boreas', port: 1 })
    await setOwn({ name: 'Memory' })
    const values = { threshold: 90, minutes: 1, warning: 70 }
    await hub.send(admin, 'POST', POLICIES, { user: admin.record.id, tag: '', system, name: 'CPU', target: '', values })
    await using page = await openSheet()
    await page.getByText('Existing rules are not changed. Rules with several thresholds are not copied. Use a policy for these.').waitFor()
    await page.getByRole('button', { name: 'Set these on the other system too' }).click()
    await page.getByText('Saved. Existing rules of the other systems were not changed. Rules with several thresholds').waitFor()
    const copied = await listed<{ readonly name: string; readonly system: string }>('/api/collections/alerts/records')
    assert.deepEqual(
      copied.filter((one) => one.system === other).map(({ name }) => name),
      ['Memory'],
    )
    await hub.send(admin, 'DELETE', `/api/collections/systems/records/${other}`)
  })

  test('an own alert becomes a policy with both thresholds, which the sheet shows, changes and turns off', async () => {
    await setOwn({})
    await using page = await openSheet()
    const card = cardOf(page, 'CPU')
    const dialog = await openLevels(page)
    assert.equal(await dialog.getByLabel('Threshold').inputValue(), '80')
    assert.equal(await dialog.getByLabel('Duration').inputValue(), '5')
    await dialog.getByLabel('Threshold').fill('90')
    await dialog.getByLabel('Duration').fill('1')
    await dialog.getByLabel('Warning at').fill('70')
    await dialog.getByLabel('Minutes of the warning').fill('10')
    await auditPage(page, 'the dialog with two thresholds')
    const previewed = page.waitForRequest(/\/alerts\/preview\?.*name=CPU.*value=90&min=1&warning=70&warningMin=10/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await previewed
    await dialog.waitFor({ state: 'detached' })
    await card.getByText('Warning above 70 % for 10 min, critical above 90 % for 1 min').waitFor()
    await card.getByText('Set by your policy for this system.').waitFor()
    assert.equal(await card.getByRole('slider').count(), 0)
    assert.deepEqual(await ownAlerts(), [])
    assert.deepEqual(await ruleOf('CPU'), { threshold: 90, minutes: 1, warning: 70, warningMinutes: 10, clear: undefined, off: false })
    await auditPage(page, 'a card with two thresholds')

    await openLevels(page)
    await dialog.getByLabel('Resolves at').fill('60')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Warning above 70 % for 10 min, critical above 90 % for 1 min, resolves at 60 %').waitFor()
    assert.equal((await policies()).length, 1)

    await card.getByRole('switch', { name: 'CPU' }).click()
    await card.getByText('Set by your policy for this system.').waitFor({ state: 'detached' })
    assert.equal((await ruleOf('CPU')).off, true)

    // The own alert of the switch is nearer than the policy. The dialog has the values of both.
    await card.getByRole('switch', { name: 'CPU' }).click()
    await openLevels(page)
    assert.equal(await dialog.getByLabel('Warning at').inputValue(), '70')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Warning above 70 % for 10 min, critical above 90 % for 1 min, resolves at 60 %').waitFor()
    assert.deepEqual(await ownAlerts(), [])
    assert.equal((await policies()).length, 1)
  })

  test('the own alert stays in force until the policy is saved, and saving again repairs a refused removal', async () => {
    await setOwn({})
    await using page = await openSheet()
    const dialog = await openLevels(page)
    await dialog.getByLabel('Warning at').fill('70')
    const refuse = (method: string, path: string) =>
      page.route(`**${path}`, (route) =>
        route.request().method() === method
          ? route.fulfill({ status: 503, json: { status: 503, message: 'Try again later.', data: {} } })
          : route.continue(),
      )
    await refuse('POST', POLICIES)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await page.unroute(`**${POLICIES}`)
    assert.deepEqual([(await ownAlerts()).length, await policies()], [1, []])

    await refuse('DELETE', ALERTS)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/^The policy is saved, but your own alert still applies. Save again./).waitFor()
    await page.unroute(`**${ALERTS}`)
    assert.deepEqual([(await ownAlerts()).length, (await policies()).length], [1, 1])
    assert.equal((await ruleOf('CPU')).threshold, 80)

    await dialog.getByLabel('Warning at').fill('75')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([await ownAlerts(), (await policies()).length], [[], 1])
    assert.deepEqual(await ruleOf('CPU'), { threshold: 80, minutes: 5, warning: 75, warningMinutes: 5, clear: undefined, off: false })
  })

  test('a change of the slider that is not saved yet does not survive the policy', async () => {
    await setOwn({})
    await using page = await openSheet()
    await cardOf(page, 'CPU').getByRole('slider', { name: 'Threshold' }).fill('85')
    const dialog = await openLevels(page)
    assert.equal(await dialog.getByLabel('Threshold').inputValue(), '85')
    await dialog.getByLabel('Warning at').fill('70')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await cardOf(page, 'CPU').getByText('Warning above 70 % for 5 min, critical above 85 % for 5 min').waitFor()
    assert.deepEqual(await ownAlerts(), [])
  })

  test('two thresholds of a policy for a tag are shown, and begin a policy for the system', async () => {
    const values = { threshold: 90, minutes: 3, warning: 60, warningMinutes: 15, clear: 50 }
    await hub.send(admin, 'POST', POLICIES, { user: admin.record.id, tag: 'env=prod', name: 'Memory', values })
    await using page = await openSheet()
    const card = cardOf(page, 'Memory')
    await card.getByText('Warning above 60 % for 15 min, critical above 90 % for 3 min, resolves at 50 %').waitFor()
    await card.getByText('Set by your policy for the tag env=prod.').waitFor()
    assert.equal(await card.getByRole('slider').count(), 0)
    const dialog = await openLevels(page, 'Memory')
    await dialog.getByLabel('Threshold').fill('95')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Warning above 60 % for 15 min, critical above 95 % for 3 min, resolves at 50 %').waitFor()
    const own = (await policies()).find((policy) => policy.system === system)
    assert.deepEqual(own?.values, { off: false, threshold: 95, minutes: 3, clear: 50, warning: 60, warningMinutes: 15 })
  })

  test('an alert on a part of the system gets two thresholds, and one without a threshold has no button', async () => {
    await setOwn({ name: 'Filesystem', target: 'root' })
    await setOwn({ name: 'Status', value: 0 })
    await using page = await openSheet()
    const dialog = await openLevels(page, 'Filesystem (root)')
    await dialog.getByLabel('Warning at').fill('70')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await cardOf(page, 'Filesystem (root)').getByText('Warning above 70 % for 5 min, critical above 80 % for 5 min').waitFor()
    assert.deepEqual(
      (await policies()).map(({ target }) => target),
      ['root'],
    )
    assert.equal(await cardOf(page, 'Status').getByRole('button').count(), 0)
  })

  test('Escape closes the dialog before the sheet, and the focus returns to the button; turning off works there too', async () => {
    await setOwn({})
    await using page = await openSheet()
    const button = page.getByRole('button', { name: 'Warning and critical: CPU', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Warning and critical: CPU, atlas' })
    await dialog.getByLabel('Warning at').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('button[aria-label="Warning and critical: CPU"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await choose(page, 'State', 'Off')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await button.waitFor({ state: 'detached' })
    assert.deepEqual([await ownAlerts(), (await ruleOf('CPU')).off], [[], true])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('the dialog fits a phone', async () => {
    await setOwn({})
    await using page = await openSheet({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    const dialog = await openLevels(page)
    await dialog.getByLabel('Warning at').fill('70')
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth)
    assert.ok(wide <= 360, `the page is ${wide} px wide`)
    await auditPage(page, 'the dialog with two thresholds on a phone')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await cardOf(page, 'CPU').getByText('Warning above 70 % for 5 min').waitFor()
  })
})
