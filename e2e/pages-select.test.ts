import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const RECORDS = '/api/collections/systems/records'

/** Actions on several selected systems. */
describe('systems that are ticked', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const tickOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const barOf = (page: Page) => page.getByRole('region', { name: 'Selected systems' })
  const openFleet = async () => {
    const page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByText('live', { exact: true }).waitFor()
    return page
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    for (const name of ['ash', 'birch', 'cedar', 'doomed', 'elm <b>']) await hub.addSystem(admin, { name, port: await freePort() })
  })

  after(() => hub[Symbol.asyncDispose]())

  test('systems are selected by keyboard, paused together and resumed together', async () => {
    await using page = await openFleet()
    for (const name of ['ash', 'birch']) {
      await tickOf(page, name).focus()
      await page.keyboard.press('Space')
    }
    await barOf(page).getByText('2 selected', { exact: true }).waitFor()
    assert.equal(await barOf(page).getByRole('button', { name: 'Resume' }).isDisabled(), true)
    await barOf(page).getByRole('button', { name: 'Pause' }).click()
    for (const name of ['ash', 'birch']) await rowOf(page, name).and(page.locator('[data-health=paused]')).waitFor()
    await barOf(page).waitFor({ state: 'detached' })
    assert.equal(await page.locator('[data-health=paused]').count(), 2)
    for (const name of ['ash', 'birch', 'cedar']) await tickOf(page, name).check()
    await auditPage(page, 'ticked systems', { show: () => barOf(page).waitFor() })
    await page.setViewportSize({ width: 1440, height: 900 })
    await barOf(page).getByRole('button', { name: 'Resume' }).click()
    await page.locator('[data-health=paused]').first().waitFor({ state: 'detached' })
  })

  test('selected systems are deleted after a confirmation with their names; a system that the hub refuses stays selected', async () => {
    await using page = await openFleet()
    for (const name of ['doomed', 'elm <b>']) await tickOf(page, name).check()
    const question = page.getByRole('alertdialog', { name: 'Delete 2 systems?' })
    await barOf(page).getByRole('button', { name: 'Delete' }).click()
    await question.waitFor()
    assert.deepEqual((await question.getByRole('listitem').allTextContents()).toSorted(), ['doomed', 'elm <b>'])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await rowOf(page, 'doomed').count(), 1)
    // The test redirects one request to a record that does not exist, so that the hub really refuses it.
    const list = (await hub.send(admin, 'GET', RECORDS)) as { readonly items: readonly { id: string; name: string }[] } // a list of records
    const kept = list.items.find(({ name }) => name === 'elm <b>')?.id ?? ''
    await page.route(`**${RECORDS}/${kept}`, (route) => route.continue({ url: `${hub.address}${RECORDS}/nosuchrecord000` }))
    await barOf(page).getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Cannot delete "elm <b>"', { exact: true }).first().waitFor()
    await rowOf(page, 'doomed').waitFor({ state: 'detached' })
    await barOf(page).getByText('1 selected', { exact: true }).waitFor()
    assert.equal(await tickOf(page, 'elm <b>').isChecked(), true)
  })

  test('selection includes only visible systems, and is cleared when the user leaves the page', async () => {
    await using page = await openFleet()
    for (const name of ['ash', 'cedar']) await tickOf(page, name).check()
    await page.getByPlaceholder('Filter...').fill('ash')
    await barOf(page).getByText('1 selected', { exact: true }).waitFor()
    await page.getByPlaceholder('Filter...').fill('')
    await barOf(page).getByText('2 selected', { exact: true }).waitFor()
    await barOf(page).getByRole('button', { name: 'Select all 4' }).click()
    await barOf(page).getByText('4 selected', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'ash', exact: true }).click()
    await page.getByRole('heading', { name: 'ash' }).waitFor()
    await page.goBack()
    await tickOf(page, 'ash').waitFor()
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
    assert.equal(await barOf(page).count(), 0)
  })

  test('checkboxes appear on hover, or permanently on a phone once a system is selected', async () => {
    const hasOpacity = (page: Page, opacity: number) =>
      waitUntil(page, `getComputedStyle(document.querySelector('[aria-label="Select ash"]')).opacity === '${opacity}'`)
    await using page = await openFleet()
    await tickOf(page, 'ash').waitFor()
    await hasOpacity(page, 0)
    await rowOf(page, 'ash').hover()
    await hasOpacity(page, 1)
    await using phone = await hub.openPage(admin, { viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true })
    await phone.goto('/')
    // On a phone the checkbox is hidden behind the status until a system is selected.
    const isShown = (expected: number) => hasOpacity(phone, expected)
    await tickOf(phone, 'ash').waitFor()
    await isShown(0)
    await phone.getByRole('button', { name: 'Menu of ash' }).tap()
    await phone.getByRole('menuitem', { name: 'Select' }).tap()
    await barOf(phone).getByText('1 selected', { exact: true }).waitFor()
    await isShown(1)
    await tickOf(phone, 'ash').tap()
    await barOf(phone).waitFor({ state: 'detached' })
    await tickOf(phone, 'birch').tap()
    await barOf(phone).getByText('1 selected', { exact: true }).waitFor()
  })

  test('checkboxes are not shown to a user with the readonly role', async () => {
    const reader = await hub.createUser('reader@example.com', 'readonly')
    const list = (await hub.send(admin, 'GET', RECORDS)) as { readonly items: readonly { id: string }[] } // a list of records
    await hub.send(admin, 'PATCH', `${RECORDS}/${list.items[0]?.id ?? ''}`, { 'users+': reader.record.id })
    await using page = await hub.openPage(reader)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto('/')
    await page.getByText('live', { exact: true }).waitFor()
    await page.locator('[data-health]').first().waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByRole('checkbox').count(), 0)
    assert.deepEqual(
      loaded.filter((url) => /row-check|selection/.test(url)),
      [],
    )
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
