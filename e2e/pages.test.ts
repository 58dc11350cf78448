import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

/** A public key that belongs to no hub. */
const FOREIGN_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

/** Every page and every dialog, light and dark, at 360, 768 and 1440 px: no axe violation and no horizontal scrolling. */
describe('pages for everyone', { timeout: 12 * STEP_MS }, () => {
  const silent = createServer()
  let hub: PagesHub
  let admin: Session
  let page: Page

  const show = (role: 'dialog' | 'alertdialog' | 'menu') => page.getByRole(role).waitFor()
  const close = async (role: 'dialog' | 'alertdialog' | 'menu') => {
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  const health = (name: string, health: string) =>
    page.locator(`[data-health=${health}]`).filter({ has: page.getByRole('link', { name, exact: true }) })

  before(async () => {
    hub = await startPagesHub()
    page = await hub.openPage()
  })

  after(async () => {
    silent.close()
    await hub[Symbol.asyncDispose]()
  })

  test('§2 first run: the form of the first admin is accessible', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Create admin' }).waitFor()
    await auditPage(page, 'first run')
    admin = await hub.createAdmin()
  })

  test('§2 login: the form and its error for a wrong password are accessible', async () => {
    await page.reload()
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await auditPage(page, 'login')
  })

  test('§2 forgot-password: the form, its answer, and the page behind the mailed link', async () => {
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').waitFor()
    await auditPage(page, 'forgot password')
    await page.goto('/reset-password/a-token-that-is-none')
    await page.getByLabel('New password').fill('another horse battery')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('alert').waitFor()
    await auditPage(page, 'reset password')
  })

  test('§2 dashboard: All Systems without systems is accessible', async () => {
    page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    await auditPage(page, 'All Systems, empty')
  })

  test('§2 unknown path: the 404 page is accessible', async () => {
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: '404' }).waitFor()
    await auditPage(page, '404')
  })

  test('§4 system status: All Systems with one that is up, down, refused, paused and pending', async () => {
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const [good, foreign] = [await hub.startAgent('good'), await hub.startAgent('foreign', FOREIGN_KEY)]
    await hub.addSystem(admin, { name: 'upright', port: good.port })
    await hub.addSystem(admin, { name: 'refusing', port: foreign.port })
    await hub.addSystem(admin, { name: 'absent', port: await freePort() })
    const resting = await hub.addSystem(admin, { name: 'resting', port: good.port })
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${resting}`, { status: 'paused' })
    await page.goto('/')
    await health('upright', 'up').waitFor()
    await health('refusing', 'down').waitFor()
    await health('absent', 'down').waitFor()
    await health('resting', 'paused').waitFor()
    // A server that accepts connections and sends nothing. The hub retries for longer than the test runs.
    const { port } = silent.address() as AddressInfo // a TCP server's address is an object
    await hub.addSystem(admin, { name: 'awaited', port })
    await health('awaited', 'pending').waitFor()
    await auditPage(page, 'All Systems')
  })

  test('§4 system status: the dot of up is green and pulses, of down red, of pending yellow, of paused faded', async () => {
    const lookOf = async (status: string) => {
      const dot = `document.querySelector('[data-status=${status}]')`
      const [colour, opacity, moving] = await page.evaluate<readonly [string, string, number]>(
        `[getComputedStyle(${dot}).color, getComputedStyle(${dot}).opacity, ${dot}.getAnimations({ subtree: true }).length]`,
      )
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
      return { red, green, blue, opacity: Number(opacity), moving }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    const [up, down, pending, paused] = [await lookOf('up'), await lookOf('down'), await lookOf('pending'), await lookOf('paused')]
    assert.ok(up.green > 1.5 * up.red && up.moving === 1, JSON.stringify(up))
    assert.ok(down.red > 2 * down.green && down.red > 2 * down.blue, JSON.stringify(down))
    assert.ok(Math.min(pending.red, pending.green) > 1.5 * pending.blue, JSON.stringify(pending))
    assert.ok(paused.opacity < 1, JSON.stringify(paused))
  })

  test('systems that never responded or are paused show no values instead of zeros', async () => {
    for (const name of ['absent', 'resting']) {
      const cells = await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('cell')
        .allInnerTexts()
      assert.ok(cells.length > 5, `${name} has ${cells.length} cells`)
      assert.deepEqual([...new Set(cells.map((text) => text.replaceAll(/\s+/g, ' ').trim()))].toSorted(), ['', '– unknown'], name)
    }
  })

  test('refused key is explained in a tooltip, for screen readers, and on the page of the system', async () => {
    const word = page.getByRole('rowheader', { name: /refusing/ }).locator('[data-tooltip]')
    const reason = (await word.getAttribute('data-tooltip')) ?? ''
    assert.match(reason, /key/)
    assert.ok((await page.getByRole('rowheader', { name: /refusing/ }).textContent())?.includes(reason))
    await word.hover()
    assert.equal(await page.getByRole('tooltip').textContent(), reason)
    await page.getByRole('link', { name: 'refusing', exact: true }).click()
    await page.getByText(reason, { exact: true }).waitFor()
    await auditPage(page, 'page of a system that is down')
    await page.setViewportSize({ width: 360, height: 900 })
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'refusing', exact: true }) })
    await card.locator('p').and(page.getByText(reason)).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('§2 system page: header and charts are accessible', async () => {
    await page.goto('/system/upright')
    await page.locator('canvas').first().waitFor()
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'Load average', exact: true }).waitFor()
    await auditPage(page, 'system page')
  })

  test('diagnostics dialog is accessible', async () => {
    await page.getByRole('button', { name: 'Run agent diagnostics' }).click()
    await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    await auditPage(page, 'findings')
    await close('dialog')
  })

  test('§2 Add System: the dialog with its field errors is accessible', async () => {
    await page.getByRole('button', { name: 'Add System' }).click()
    await page.getByRole('dialog').locator('[value^=ssh-ed25519]').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add System' }).click()
    await auditPage(page, 'Add System')
    await close('dialog')
  })

  test('§2 command palette, user menu and theme menu are accessible', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    await auditPage(page, 'command palette')
    await close('dialog')
    for (const name of ['Account', 'Theme']) {
      await page.getByRole('button', { name, exact: true }).click()
      await show('menu')
      await auditPage(page, `${name} menu`)
      await close('menu')
    }
  })

  test('row menu, and the dialogs to edit and delete a system, are accessible', async () => {
    await page.goto('/')
    const open = async () => {
      await page.getByRole('button', { name: 'Menu of upright' }).click()
      await show('menu')
    }
    await auditPage(page, 'row menu', {
      show: async () => {
        if (await page.getByRole('menu').isVisible()) await close('menu')
        await open()
      },
    })
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await show('dialog')
    await auditPage(page, 'edit dialog')
    await close('dialog')
    await open()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await show('alertdialog')
    await auditPage(page, 'delete dialog')
    await close('alertdialog')
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
