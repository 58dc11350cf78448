import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PASSWORD, startPagesHub, STEP_MS, type PagesHub } from './pages-hub.ts'
import { startPartsPage } from './parts-page.ts'
import { LOG, startPictureHub, type PictureHub } from './picture-hub.ts'
import { pictureRun, type PictureState } from './stored-pictures.ts'
import { windowButton } from './window-button.ts'

const isUpdate = process.env['VEDETTE_PICTURES'] === 'update'
/** The pictures are valid only for one browser and its fonts, because others draw letters differently. */
const hasOwnBrowser = (process.env['CHROMIUM_PATH'] ?? '') === '' && process.platform === 'linux' && process.arch === 'x64'
const skip = hasOwnBrowser
  ? false
  : 'pictures are compared only with the Chromium of the development dependencies: unset CHROMIUM_PATH, on Linux x64'

/** Every page and dialog, light and dark, at 360, 768 and 1440 px, compared with e2e/pictures. */
describe('pictures', { timeout: 12 * STEP_MS, skip }, () => {
  const run = pictureRun(isUpdate)
  let seeded: PictureHub
  let empty: PagesHub
  let page: Page

  const same = async (state: string, shown?: PictureState) => assert.deepEqual(await run.compare(page, state, shown), [])
  /**
   * The sparklines of both systems that are up load after their rows, or after the cards of a narrow page. At 768 px there is no room for
   * them.
   */
  const lastHours = async () => {
    const width = page.viewportSize()?.width
    if (width === 768) return
    // After a change of the width the rows or cards of the previous layout still exist for a moment.
    const place = width === 360 ? 'li' : 'td'
    await page.locator(`${place} svg[viewBox="0 0 84 22"] path[d]:not([d=""])`).nth(3).waitFor({ state: 'attached' })
  }
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor()
  const open = async (path: string, name: string | RegExp) => {
    await page.goto(path)
    await heading(name)
  }
  const dialog = () => page.getByRole('dialog')
  const close = async () => {
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  }
  /** Scrolls to a chart, so that all charts above it are drawn. */
  const drawChart = async (title: string) => {
    const card = page.getByRole('region', { name: title, exact: true }).first()
    await card.scrollIntoViewIfNeeded()
    await card.locator('canvas').waitFor()
  }

  before(async () => {
    seeded = await startPictureHub()
    empty = await startPagesHub()
  })

  after(async () => {
    assert.deepEqual([...seeded.hub.pageErrors, ...empty.pageErrors], [])
    await seeded[Symbol.asyncDispose]()
    await empty[Symbol.asyncDispose]()
  })

  test('first run, and All Systems without a system', async () => {
    page = await empty.openPage()
    await page.goto('/')
    await page.getByRole('button', { name: 'Create admin' }).waitFor()
    await same('first-run')
    page = await empty.openPage(await empty.createAdmin())
    await open('/', 'No systems yet')
    await same('fleet-empty')
  })

  test('login, forgot-password and reset-password pages', async () => {
    page = await seeded.openPage()
    await page.goto('/')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await same('login-refused')
    await page.goto('/forgot-password')
    await heading(/password/i)
    await same('forgot-password')
    await page.goto('/reset-password/none')
    await page.getByLabel('New password').waitFor()
    await same('reset-password')
  })

  test('All Systems, with its menus and dialogs', async () => {
    page = await seeded.openPage(seeded.admin)
    await page.goto('/')
    await page.getByRole('link', { name: 'web-1', exact: true }).waitFor()
    await same('fleet', { show: lastHours })
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await same('command-palette', { show: lastHours })
    await close()
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('menu').waitFor()
    await same('user-menu', { show: lastHours })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Menu of database-1' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Edit')
    await dialog().waitFor()
    await same('edit-system', { show: lastHours })
    await close()
    await page.setViewportSize({ width: 1440, height: 900 })
    await choose('Delete')
    await page.getByRole('alertdialog').waitFor()
    await same('delete-system', { show: lastHours })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Add System' }).click()
    await dialog().locator('[value^=ssh-ed25519]').waitFor()
    await same('add-system', { show: lastHours, mask: [dialog().locator('input[readonly], section')] })
  })

  test('page of a system with its charts and alerts', async () => {
    page = await seeded.openPage(seeded.admin)
    await page.goto('/system/web-1')
    await same('system', { show: () => page.locator('canvas').first().waitFor() })
    await same('system-charts', { show: () => drawChart('Bandwidth') })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate('scrollTo(0, 0)')
    await windowButton(page).click()
    await dialog().getByLabel('From').waitFor()
    await same('pick-time')
    await close()
    await page.getByRole('button', { name: 'Alerts', exact: true }).click()
    await dialog().getByRole('switch', { name: 'Memory' }).waitFor()
    await same('system-alerts')
    await close()
    await page.goto('/system/build-3')
    await heading('build-3')
    await same('system-down')
    await page.goto('/system/nowhere')
    await heading(/system/i)
    await same('system-unknown')
  })

  test('comparison of systems', async () => {
    page = await seeded.openPage(seeded.admin)
    await page.goto('/')
    for (const name of ['web-1', 'database-1']) await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await heading('Compare systems')
    await same('compare', { show: () => page.locator('canvas').first().waitFor() })
  })

  test('alerts, settings, and an unknown address', async () => {
    page = await seeded.openPage(seeded.admin)
    await open('/alerts', 'Alerts')
    await same('alerts')
    await open('/settings', 'Settings')
    await same('settings')
    await open('/no/such/page', '404')
    await same('unknown-address')
  })

  test('the back-office', async () => {
    page = await seeded.openPage(seeded.admin)
    for (const [state, hash, name] of [
      ['users', '', 'Users'],
      ['system-records', '#/collections?collection=systems', 'Systems'],
      ['audit', '#/audit', 'Audit'],
      ['jobs', '#/settings/crons', 'Jobs'],
      ['backups', '#/settings/backups', 'Backups'],
      ['import', '#/settings/import', 'Import'],
      ['auth-providers', '#/settings/auth-providers', 'Auth providers'],
      ['mail', '#/settings/mail', 'Mail and settings'],
      ['logs', `#/logs?from=${LOG.fromMs}&to=${LOG.toMs}`, 'Logs'],
      ['health', '#/health', 'Health of the hub'],
    ] as const) {
      await page.goto(`/_/${hash}`)
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await same(state, { mask: [page.getByText('/api/oauth2-redirect')] })
    }
  })

  test('firing alert on All Systems, in its rule and on the page of alerts', async () => {
    await seeded.fireAlert('database-1', { name: 'CPU', value: 80, min: 1 })
    page = await seeded.openPage(seeded.admin)
    await page.goto('/')
    await page.getByRole('link', { name: /An alert is firing/ }).waitFor()
    await same('fleet-firing', { show: lastHours })
    await page.goto('/system/database-1')
    await page.getByRole('button', { name: 'Alerts', exact: true }).click()
    await dialog().getByRole('switch', { name: 'Memory' }).waitFor()
    await same('system-alerts-firing')
    await open('/alerts', 'Alerts')
    await same('alerts-firing')
  })

  test('every part of the interface in every state', async () => {
    await using parts = await startPartsPage()
    page = await empty.openPage()
    await page.goto(parts.address)
    await heading('NumberField')
    await same('parts', { isLong: true, isLoading: true })
    await page.getByRole('button', { name: 'Show a failure' }).click()
    // A toast that has the focus stays.
    await page.getByRole('listitem').getByRole('button', { name: 'Open again' }).focus()
    await same('parts-toast', { isLoading: true })
    await page.getByRole('listitem').getByRole('button', { name: 'Close' }).click()
    for (const part of ['dialog', 'sheet']) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('button', { name: `Open the ${part}`, exact: true }).click()
      await page.locator('[data-backdrop]').waitFor()
      await same(`parts-${part}`, { isLoading: true })
      await page.keyboard.press('Escape')
      await page.locator('[data-backdrop]').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Menu of web' }).click()
    await page.getByRole('menu').waitFor()
    // An entry under the pointer would be highlighted.
    await page.mouse.move(0, 0)
    await same('parts-menu', { isLoading: true, show: () => page.getByRole('menu').scrollIntoViewIfNeeded() })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    const above = (locator: Locator) => ({ isLoading: true, show: () => locator.scrollIntoViewIfNeeded() })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('[name=email][aria-invalid=true]:focus').waitFor()
    await same('parts-form-errors', above(page.getByRole('heading', { name: 'Form', exact: true })))
  })

  test('every stored picture is compared', () => assert.deepEqual(run.leftOver(), []))
})
