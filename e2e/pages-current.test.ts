import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { clockOf } from './pages-clock.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { windowButton } from './window-button.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS

/** Open pages show the current state of the hub, whatever changed since they were opened. */
describe('open pages stay up to date', { timeout: 16 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let gauge: string

  const favicon = (page: Page, name: string) => page.locator(`link[rel=icon][href$="/${name}.svg"]`).waitFor({ state: 'attached' })
  const menuOf = async (page: Page, button: string, entry: string) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('menuitemradio', { name: entry, exact: true }).click()
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
  })

  after(() => hub[Symbol.asyncDispose]())

  test('failed session renewal on an empty hub keeps the user signed in; an ended session shows the login', async () => {
    const person = await hub.createUser('nobody@example.com', 'user')
    await using page = await hub.openPage(person)
    // The test aborts the request, because a real connection cannot be cut at exactly this time.
    await page.route('**/auth-refresh', (route) => route.abort(), { times: 1 })
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/auth-refresh'))
    await page.goto('/')
    await lost
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
    hub.setPassword('nobody@example.com', 'another horse battery')
    // The hub sends an empty list for an ended session, so the page must check the next session too.
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  test('alert sheet shows current rules after a copy to all systems, and after it was closed during a change', async () => {
    gauge = await hub.watchMachine(admin, 'gauge')
    const other = await hub.watchMachine(admin, 'other')
    const person = await hub.createUser('watcher@example.com', 'user')
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${gauge}`, { users: [admin.record.id, person.record.id] })
    await hub.send(person, 'POST', '/api/beszel/user-alerts', { name: 'Disk', value: 33, min: 5, systems: [gauge], overwrite: true })
    await using page = await hub.openPage(admin)
    await page.goto('/')
    const sheet = page.getByRole('dialog')
    const open = async (name: string) => {
      await page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name, exact: true }) })
        .getByRole('button', { name: `Alerts for ${name}` })
        .click()
      await sheet.getByRole('switch', { name: 'CPU', exact: true }).waitFor()
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
    }
    const cpu = () => sheet.getByRole('listitem').filter({ has: page.getByRole('switch', { name: 'CPU', exact: true }) })
    const isOn = (name: string) => sheet.getByRole('switch', { name, exact: true, checked: true })

    await open('other')
    assert.equal(await isOn('CPU').count(), 0)
    await close()
    await open('gauge')
    // The alert of another user does not appear in the admin's sheet.
    assert.equal(await isOn('Disk').count(), 0)
    await sheet.getByRole('switch', { name: 'CPU', exact: true }).click()
    await sheet.getByRole('button', { name: 'Set these on the other system too' }).click()
    await sheet.getByText('Saved. Existing rules of the other systems were not changed.').waitFor()
    await close()
    await open('other')
    await isOn('CPU').waitFor()

    const stored = page.waitForResponse((answer) => answer.url().endsWith('/api/beszel/user-alerts'))
    await cpu().getByRole('slider', { name: 'Threshold' }).fill('42')
    await close()
    await stored
    await open('other')
    await cpu().getByRole('slider', { name: 'Threshold' }).and(page.locator('[aria-valuetext="42 %"]')).waitFor()

    // Another browser changes the rule while the sheet is open.
    await hub.send(admin, 'POST', '/api/beszel/user-alerts', { name: 'CPU', value: 57, min: 3, systems: [other], overwrite: true })
    await cpu().getByRole('slider', { name: 'Threshold' }).and(page.locator('[aria-valuetext="57 %"]')).waitFor()
  })

  test('charts have the colours of a theme that was selected while no chart was shown', async () => {
    await using page = await hub.openPage(admin, { colorScheme: 'light' })
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('row').first().waitFor()
    await menuOf(page, 'Theme', 'Dark')
    await page.getByRole('link', { name: 'gauge', exact: true }).click()
    await page.locator('canvas').first().waitFor()
    const pixels = await page.evaluate<{ light: number; dark: number }>(`(() => {
      const canvas = document.querySelector('canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const count = (wanted) => {
        let found = 0
        for (let at = 0; at < data.length; at += 4) if (wanted.every((value, part) => data[at + part] === value) && data[at + 3] === 255) found += 1
        return found
      }
      return { light: count([0xec, 0xec, 0xea]), dark: count([0x23, 0x25, 0x28]) }
    })()`)
    assert.ok(pixels.dark > 0 && pixels.light === 0, JSON.stringify(pixels))
  })

  for (const stepMs of [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS]) {
    test(`page follows the hub’s clock when the machine’s clock is set by ${stepMs / HOUR_MS} h, and loses no live values`, async () => {
      await using page = await hub.openPage(admin)
      await page.clock.install()
      await page.goto('/system/gauge?live=1')
      const count = () =>
        page.getByRole('region', { name: 'Total CPU Usage', exact: true }).getByRole('slider').getAttribute('aria-valuemax')
      await waitUntil(page, `Number(document.querySelector('[aria-label="Total CPU Usage"] [role=slider]')?.ariaValueMax) >= 3`)
      const before = Number(await count())
      await page.clock.setSystemTime((await clockOf(page)) + stepMs)
      await waitUntil(page, `Number(document.querySelector('[aria-label="Total CPU Usage"] [role=slider]')?.ariaValueMax) !== ${before}`)
      assert.ok(Number(await count()) > before)
      await page.getByRole('group', { name: 'Time range' }).getByText('1h', { exact: true }).click()
      const window = (await windowButton(page).textContent()) ?? ''
      // The window of a new system ends a few minutes after its first sample.
      const near = Array.from({ length: 9 }, (_, minutes) => Date.now() + (minutes - 2) * MINUTE_MS)
      const isNear = (options: Intl.DateTimeFormatOptions, holds: (text: string) => boolean) =>
        near.some((atMs) => holds(new Intl.DateTimeFormat('en-US', options).format(atMs)))
      assert.ok(
        isNear({ hour: 'numeric', minute: '2-digit' }, (time) => window.endsWith(time)),
        window,
      )
      assert.ok(
        isNear({ month: 'short', day: 'numeric' }, (day) => window.includes(day)),
        window,
      )
    })
  }

  test('page requests the hub’s time after the machine’s clock jumped, as after sleep', async () => {
    await using page = await hub.openPage(admin)
    await page.clock.install()
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/api/health'))
    await page.clock.setSystemTime((await clockOf(page)) + HOUR_MS)
    await page.clock.runFor(10_000)
    assert.equal((await asked).status(), 200)
  })

  test('live values are marked as ended when the agent stops', async () => {
    const { port, program } = await hub.startAgent('ending')
    await hub.addSystem(admin, { name: 'ending', port })
    await using page = await hub.openPage(admin)
    await page.goto('/system/ending?live=1')
    await waitUntil(page, `Number(document.querySelector('[aria-label="Total CPU Usage"] [role=slider]')?.ariaValueMax) >= 2`)
    assert.equal(await page.getByText(/^No values since /).count(), 0)
    await program.stop('SIGKILL')
    await page.getByText(/^No values since /).waitFor()
  })

  test('favicon is right on every page, even in the background', async () => {
    // The system of the previous test is down or will be soon.
    await using list = await hub.openPage(admin)
    await list.goto('/')
    await list.locator('[data-health=down]').waitFor()
    const [record] = (
      (await hub.send(admin, 'GET', `/api/collections/systems/records?filter=name='ending'`)) as {
        readonly items: readonly { readonly id: string }[]
      }
    ).items // a page of records
    await hub.send(admin, 'DELETE', `/api/collections/systems/records/${record?.id ?? ''}`)
    await favicon(list, 'favicon-green')
    const { port, program } = await hub.startAgent('falling')
    await hub.addSystem(admin, { name: 'falling', port })
    await list
      .locator('[data-health=up]')
      .filter({ has: list.getByRole('link', { name: 'falling', exact: true }) })
      .waitFor()
    const pages = await Promise.all(
      ['/settings', '/system/gauge', '/nowhere'].map(async (path) => {
        const page = await hub.openPage(admin)
        await page.clock.install()
        await page.goto(path)
        await favicon(page, 'favicon-green')
        return page
      }),
    )
    await program.stop('SIGKILL')
    await list.locator('[data-health=down]').waitFor()
    for (const page of pages) {
      await page.clock.runFor(31_000)
      await favicon(page, 'favicon-red')
    }
  })

  test('deletion in the back-office affects only visible selected rows, and deletes no record twice', async () => {
    await using page = await hub.openPage(admin)
    const deletions: string[] = []
    page.on('request', (request: Request) => request.method() === 'DELETE' && deletions.push(request.url().split('/').at(-1) ?? ''))
    await page.goto('/_/#/collections?collection=systems')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('gauge').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete 1' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter' }).fill('name = "other"')
    await page.getByRole('button', { name: 'Apply' }).click()
    await row('gauge').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: /^Delete \d/ }).count(), 0)
    await page.getByRole('searchbox', { name: 'Filter' }).fill('')
    await page.getByRole('button', { name: 'Apply' }).click()
    await row('gauge').waitFor()
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)

    // The last admin cannot be deleted; the other user can.
    const gone = await hub.createUser('leaving@example.com', 'user')
    await page.goto('/_/#/collections?collection=users')
    await row('leaving@example.com').getByRole('checkbox').check()
    await row('admin@example.com').getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete 2' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('alert').waitFor()
    await row('leaving@example.com').waitFor({ state: 'detached' })
    const refused = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await question.getByRole('button', { name: 'Delete' }).click()
    await refused
    await question.getByRole('alert').waitFor()
    assert.deepEqual(deletions.toSorted(), [admin.record.id, admin.record.id, gone.record.id].toSorted())
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
