import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { NEWER_VERSION } from '../hub/test/cluster/newer-build.ts'
import { choose } from './choose.ts'
import { NEWER_ROLE, NEWER_STATUS, newerHub, OLDER_VERSION, olderHub } from './hub-versions.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const SETTINGS = '/api/account/settings'
const systemPath = (id: string) => `/api/collections/systems/records/${id}`

/** The hub stops, and a hub of another version starts on the same address and data, while a page stays open. */
describe('hub of another version', { timeout: 10 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let gauge: string
  let spare: string

  const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const version = (page: Page, text: string) => page.getByText(`Vedette ${text}`, { exact: true }).waitFor()
  const openFleet = async () => {
    const page = await hub.openPage(admin)
    await page.goto('/')
    await row(page, 'gauge').waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    await version(page, VEDETTE_VERSION)
    return page
  }
  const replaceHub = async (page: Page, program?: string) => {
    const lost = page.getByText('reconnecting', { exact: false }).waitFor()
    await hub.replaceHub(program)
    await lost
    await page.getByText('live', { exact: true }).waitFor()
  }

  beforeEach(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    gauge = await hub.watchMachine(admin, 'gauge')
    spare = await hub.addSystem(admin, { name: 'spare', port: await freePort() })
    await hub.send(admin, 'PATCH', systemPath(spare), { status: 'paused' })
  })

  afterEach(() => hub[Symbol.asyncDispose]())

  test('open page of this version works with an older hub and omits what that hub does not support', async () => {
    using older = olderHub()
    await using page = await openFleet()
    await replaceHub(page, older.program)
    await version(page, OLDER_VERSION)
    await hub.send(admin, 'PATCH', systemPath(gauge), { status: 'pending' })
    await row(page, 'gauge').getByText('0.2.0', { exact: true }).waitFor()
    await row(page, 'gauge').getByRole('link', { name: 'gauge' }).click()
    await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Total CPU Usage' }).locator('canvas').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await page.goto('/alerts')
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
    await page
      .getByRole('link', { name: /^Vedette/ })
      .first()
      .click()
    await row(page, 'gauge').waitFor()
    await replaceHub(page)
    await version(page, VEDETTE_VERSION)
    assert.deepEqual(hub.pageErrors, [])
  })

  test('open page of this version works with a newer hub, treats unknown values as unknown and keeps them stored', async () => {
    using newer = newerHub()
    await hub.send(admin, 'PATCH', SETTINGS, { merge: { unitTemp: 'fahrenheit' } })
    await using page = await openFleet()
    await replaceHub(page, newer.program)
    await version(page, NEWER_VERSION)
    await row(page, 'spare').and(page.locator('[data-health=paused]')).waitFor()
    await hub.send(admin, 'PATCH', systemPath(spare), { status: NEWER_STATUS, name: 'asleep' })
    await row(page, 'asleep').and(page.locator('[data-health=pending]')).waitFor()
    {
      await using events = await streamedEvents(hub.address, admin.token, ['systems/*'])
      const stored = events.next((event) => event.includes('"later":'))
      await hub.send(admin, 'PATCH', systemPath(gauge), { status: 'pending' })
      await stored
    }
    await row(page, 'gauge').and(page.locator('[data-health=up]')).waitFor()
    await row(page, 'gauge').getByRole('link', { name: 'gauge' }).click()
    await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()

    const later = { later: { nested: [1, null, '__proto__'] } }
    const merge = { unitTemp: 'kelvin', hourFormat: 36, timeZone: 'Mars/Olympus', chartTime: '1 sol', layoutWidth: {}, ...later }
    await hub.send(admin, 'PATCH', SETTINGS, { merge })
    await page.goto('/settings')
    await page.getByRole('combobox', { name: 'Temperature unit' }).getByText('°C').waitFor()
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith(SETTINGS))
    await choose(page, 'Disk I/O unit', 'Bits per second')
    assert.equal((await saved).status(), 200)
    const { settings } = (await hub.send(admin, 'GET', SETTINGS)) as { readonly settings: object } // as this route answers
    assert.partialDeepStrictEqual(settings, { unitTemp: 'kelvin', ...later })

    const auditor = await hub.createUser('auditor@example.com', NEWER_ROLE)
    await hub.send(admin, 'PATCH', systemPath(gauge), { 'users+': auditor.record.id })
    await using reading = await hub.openPage(auditor)
    await reading.goto('/')
    await row(reading, 'gauge').waitFor()
    assert.equal(await reading.getByRole('button', { name: 'Add System' }).count(), 0)
    await page.goto('/_/')
    await page.getByRole('row').filter({ hasText: 'auditor@example.com' }).getByText(NEWER_ROLE, { exact: true }).waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })
})
