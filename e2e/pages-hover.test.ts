import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { faintParts, PressableStates } from './pressable-states.ts'
import { richMachine } from './rich-machine.ts'
import { windowButton } from './window-button.ts'

const isLong = process.env['VEDETTE_LONG'] === '1'

/** Pages that an admin opens. */
const pages = [
  '/',
  '/system/gauge',
  '/compare',
  '/alerts',
  '/settings',
  '/_/#/collections?collection=systems',
  '/_/#/settings/backups',
] as const

/** Pages with few controls of their own; only the long suite checks them. */
const morePages = [
  '/settings/access',
  '/system/nowhere',
  '/no/such/page',
  '/_/',
  '/_/#/audit',
  '/_/#/health',
  '/_/#/logs',
  '/_/#/settings/crons',
  '/_/#/settings/auth-providers',
  '/_/#/settings/mail',
] as const

describe('hover and focus', { timeout: 10 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const states = new PressableStates()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const { port } = made.use(await sshAgent(key, () => richMachine))
    await hub.addSystem(admin, { name: 'gauge', port })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (path: string, session: Session | undefined): Promise<Page> => {
    const page = await hub.openPage(session)
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    return page
  }

  /** Scrolls down until the last section exists, because sections load on scroll. */
  const showSections = (page: Page) => waitUntil(page, `(scrollTo(0, 1e6), document.querySelector('[aria-label="Logs of web"]') !== null)`)

  test('controls of all pages change on hover, and their focus rings have a contrast of 3:1', async () => {
    const problems: string[] = []
    for (const path of ['/', '/forgot-password']) {
      await using page = await open(path, undefined)
      problems.push(...(await states.look(page, `${path} for nobody`)))
    }
    await using page = await open('/', admin)
    for (const path of [...pages, ...(isLong ? morePages : [])]) {
      // Two back-office addresses differ in their fragment only: without a blank page between them, the browser would load nothing.
      await page.goto('about:blank')
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      if (path === '/system/gauge') await showSections(page)
      await page.waitForLoadState('networkidle')
      problems.push(...(await states.look(page, path)), ...(await faintParts(page)).map((problem) => `${path}: ${problem}`))
    }
    assert.deepEqual(problems, [])
    assert.ok(states.count > 60, `${states.count} looks`)
  })

  test('controls in menus and dialogs change on hover, and their focus rings have a contrast of 3:1', async () => {
    await using page = await open('/', admin)
    const problems: string[] = []
    const look = async (what: string) => problems.push(...(await states.look(page, what)))
    for (const name of ['Account', 'Theme', 'Menu of gauge']) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('menu').waitFor()
      await look(name)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    const lookAtDialog = async (name: string) => {
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('dialog').waitFor()
      await look(name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    for (const name of ['Add System', 'Alerts for gauge', 'Columns']) await lookAtDialog(name)
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await look('search')
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Select gauge' }).check({ force: true })
    await look('selection')
    await page.goto('/system/gauge')
    await windowButton(page).click()
    await page.getByRole('dialog').waitFor()
    await look('window')
    await page.keyboard.press('Escape')
    await showSections(page)
    await lookAtDialog('Logs of web')
    await page.goto('/settings')
    await page.getByRole('combobox').first().click()
    await page.getByRole('listbox').waitFor()
    await look('select')
    await page.keyboard.press('Escape')
    await page.goto('/_/#/collections?collection=systems')
    await lookAtDialog('New record')
    assert.deepEqual(problems, [])
  })

  test('check of controls finds a missing hover style and a faint focus ring', async () => {
    await using page = await open('/settings', admin)
    const change = (css: string) =>
      page.evaluate(
        `{ const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(css)}); document.adoptedStyleSheets.push(sheet) }`,
      )
    await change('header button { background: red !important; color: blue !important; border-color: red !important }')
    assert.match(String(await new PressableStates().look(page, 'changed')), /hover light,dark: button "Theme"/)
    await change(':focus-visible { outline-color: rgb(128 128 128 / 0.2) !important }')
    assert.match(String(await new PressableStates().look(page, 'changed')), /focus light: ring 1\.\d\d:1: button "Theme"/)
  })
})
