import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { readGerman } from './pages-words.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { richMachine } from './rich-machine.ts'

const PHONE = { width: 360, height: 800 }

const signedOut = [
  '/',
  '/forgot-password',
  '/reset-password/over',
  '/verify-email/over',
  '/change-email/over',
  '/acknowledge#over',
] as const
const signedIn = [
  '/',
  '/alerts',
  '/compare',
  '/settings',
  '/settings/access',
  '/nowhere',
  '/_/#/collections?collection=users',
  '/_/#/collections?collection=systems',
  '/_/#/logs',
  '/_/#/audit',
  '/_/#/health',
  '/_/#/settings/crons',
  '/_/#/settings/mail',
  '/_/#/settings/backups',
  '/_/#/settings/auth-providers',
  '/_/#/nowhere',
] as const

/** Sub-states of systemd units, which stay in English. */
const SUB_STATES = '[aria-label=Dienste] td:nth-child(3)'

/** Example messages in the settings, which have the language of notifications. */
const EXAMPLE_MESSAGES = '#messages ul[lang] p:not([lang])'

/** The CSS selector of texts on a page that are not translated. Tables of records show stored values. */
function untranslatedOn(path: string): string | undefined {
  if (path.includes('collection=')) return 'td'
  return path === '/settings' ? EXAMPLE_MESSAGES : undefined
}

describe('pages in German', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    const agent = made.use(await sshAgent(key, () => richMachine))
    await hub.addSystem(admin, { name: 'gauge', port: agent.port })
  })

  after(() => made.disposeAsync())

  const open = async (session: Session | undefined, path: string) => {
    const page = await hub.openPage(session, { locale: 'de-DE', viewport: PHONE })
    await page.goto(path)
    await isShown(page)
    return page
  }
  /** Waits until the page has a heading and nothing is loading. */
  const isShown = async (page: Page) => {
    await page.getByRole('heading').first().waitFor()
    await waitUntil(page, `document.querySelector('[aria-busy=true], [role=status][aria-label="Lädt"]') === null`)
  }

  for (const [who, paths, session] of [
    ['nobody', signedOut, () => undefined],
    ['an admin', signedIn, () => admin],
  ] as const)
    for (const path of paths)
      test(`${path}, opened by ${who}, is in German and fits a phone`, async () => {
        await using page = await open(session(), path)
        await readGerman(page, path, untranslatedOn(path))
        await page.close()
      })

  test('page of a system and its alerts are completely in German', async () => {
    await using page = await open(admin, '/system/gauge')
    await page.getByText(/^Alte Messwerte: Container vor \d Min\.$/).waitFor()
    await page.getByRole('region', { name: 'Bandbreite', exact: true }).scrollIntoViewIfNeeded()
    const memory = page.getByRole('region', { name: 'GPU 0: Speicher', exact: true })
    await memory.scrollIntoViewIfNeeded()
    await memory.getByRole('button', { name: /^der Maschine \(GTT\)/ }).waitFor()
    await isShown(page)
    // The tables below load when they are near the window.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('cell', { name: 'web', exact: true }).first().waitFor()
    await isShown(page)
    await readGerman(page, 'system', SUB_STATES)
    // The name column is wide enough.
    for (const name of ['web', 'nginx']) {
      const cell = await page.getByRole('cell', { name, exact: true }).first().boundingBox()
      assert.ok(cell !== null && cell.width >= 64, `${name}: ${cell?.width}`)
    }
    await page.getByRole('main').getByRole('button', { name: 'Alarme', exact: true }).click()
    await page.getByRole('dialog').getByRole('switch').first().waitFor()
    await readGerman(page, 'alerts of a system', SUB_STATES)
  })

  test('Add System dialog and command palette are in German', async () => {
    await using page = await open(admin, '/')
    await page.getByRole('button', { name: 'System hinzufügen' }).first().click()
    await page.getByRole('dialog', { name: 'Neues System hinzufügen' }).waitFor()
    await readGerman(page, 'adding a system')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await readGerman(page, 'palette')
  })

  test('errors of refused forms are in German', async () => {
    await using page = await open(admin, '/settings')
    await page.getByLabel('Jetziges Passwort', { exact: true }).fill('not the password')
    for (const label of ['Neues Passwort', 'Neues Passwort, noch einmal'])
      await page.getByLabel(label, { exact: true }).fill('correct-horse-2')
    await page.getByRole('button', { name: 'Passwort ändern' }).click()
    await page.getByText('Dieses Passwort ist falsch').waitFor()
    await page.getByText('Das konnte nicht gespeichert werden. Prüfe die Angaben.').waitFor()
    await readGerman(page, 'refused password', EXAMPLE_MESSAGES)
    await page.goto('/_/#/settings/mail')
    const sender = page.getByLabel('Adresse des Absenders')
    await sender.fill('nobody')
    await sender.press('Enter')
    await page.getByText('Eine E-Mail-Adresse eingeben').waitFor()
    await readGerman(page, 'refused form')
  })

  test('German check finds untranslated words and cut labels', async () => {
    await using page = await open(admin, '/')
    await page.evaluate(`document.querySelector('h1').textContent = 'All Systems'`)
    await assert.rejects(readGerman(page, 'planted'), /English: All Systems/)
    await page.reload()
    await isShown(page)
    await page.evaluate(
      `Object.assign(document.querySelector('h1').style, { display: 'block', width: '3em', overflow: 'hidden', whiteSpace: 'nowrap' })`,
    )
    await assert.rejects(readGerman(page, 'planted'), /cut: Alle Systeme/)
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
