import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

/** A notification service that records the messages it receives, in order. */
async function startService() {
  const told: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      told.push(body)
      response.writeHead(204).end()
      server.emit('told')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    url: `generic://127.0.0.1:${port}/hook?disabletls=yes`,
    async until(count: number): Promise<readonly string[]> {
      while (told.length < count) await once(server, 'told')
      return told
    },
    close: () => server.close(),
  }
}

describe('alerts', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let id: string
  let service: Awaited<ReturnType<typeof startService>>
  let page: Page

  /** Makes the hub poll the agent now, because it polls a system immediately after a pause. */
  const measureNow = async () => {
    const path = `/api/collections/systems/records/${id}`
    await hub.send(admin, 'PATCH', path, { status: 'paused' })
    await hub.send(admin, 'PATCH', path, { status: 'pending' })
  }
  /** The response to a change of one rule whose body has `values`: on a slow machine each field of a form may be sent separately. */
  const stored = (method: string, values: { readonly [field: string]: unknown }) =>
    page.waitForResponse((response) => {
      const request = response.request()
      if (!response.url().endsWith('/api/beszel/user-alerts') || request.method() !== method) return false
      const body = request.postDataJSON() as { readonly [field: string]: unknown } // as the sheet sent it
      return Object.entries(values).every(([name, value]) => body[name] === value)
    })

  before(async () => {
    service = await startService()
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    const agent = await hub.startAgent('watched')
    id = await hub.addSystem(admin, { name: 'watched', port: agent.port })
    page = await hub.openPage(admin)
    await page.goto('/')
    await page.locator('[data-health=up]').waitFor()
  })

  after(async () => {
    service.close()
    await hub[Symbol.asyncDispose]()
  })

  test('notification service is tested and saved in the settings', async () => {
    await page.goto('/settings')
    const card = page.getByRole('region', { name: 'Notifications' })
    await card.getByLabel('Chat or webhook URL').fill(service.url)
    await card.getByRole('button', { name: 'Add', exact: true }).last().click()
    await card.getByRole('button', { name: `Try ${service.url}` }).click()
    await card.getByText('The service took it.').waitFor()
    assert.match((await service.until(1))[0] ?? '', /test/i)
  })

  test('the bell opens a sheet, a rule is set by its switch and says in one sentence what it does', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Alerts for watched', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Alerts for watched' })
    await sheet.getByRole('switch', { name: 'Memory' }).click()
    await sheet.getByText('When memory usage is above 80 % on average over 10 min').waitFor()
    const card = sheet.getByRole('listitem').filter({ hasText: 'Memory' })
    await card.getByRole('spinbutton', { name: 'Threshold' }).fill('1')
    const answered = stored('POST', { name: 'Memory', value: 1, min: 1 })
    await card.getByRole('spinbutton', { name: 'Duration' }).fill('1')
    await page.keyboard.press('Enter')
    assert.equal((await answered).status(), 200)
    await sheet.getByText('When memory usage is above 1 %').waitFor()
    await card.getByText(/^Would have fired once, /).waitFor()
    await sheet.getByRole('combobox', { name: 'One part of it' }).click()
    await page.getByRole('group', { name: 'Filesystems' }).getByRole('option', { name: 'root', exact: true }).click()
    const part = sheet.getByRole('switch', { name: 'Filesystem (root)' })
    for (const method of ['POST', 'DELETE']) {
      const done = stored(method, { name: 'Filesystem' })
      await part.click()
      const { name, target, systems } = (await done).request().postDataJSON() as { readonly [field: string]: unknown } // as the sheet sent it
      assert.deepEqual([name, target, systems], ['Filesystem', 'root', [id]])
      if (method === 'POST') await sheet.getByText('When its usage is above 80 % on average over 10 min').waitFor()
    }
    await auditPage(page, 'alerts of a system')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Alerts for watched: Memory' }).waitFor()
  })

  test('rules of one system are copied to the other systems, whose existing rules stay unchanged', async () => {
    const [idle, own] = [await freePort(), await freePort()]
    const other = await hub.addSystem(admin, { name: 'other', port: idle })
    const kept = await hub.addSystem(admin, { name: 'kept', port: own })
    await hub.send(admin, 'POST', '/api/beszel/user-alerts', { name: 'Memory', value: 50, min: 7, systems: [kept] })
    await page.getByRole('button', { name: 'Alerts for watched: Memory' }).click()
    const answered = stored('POST', { name: 'Memory' })
    await page.getByRole('button', { name: 'Set these on the 2 other systems too' }).click()
    assert.equal((await answered).status(), 200)
    await page.getByText('Saved. Existing rules of the other systems were not changed.').waitFor()
    await page.keyboard.press('Escape')
    const list = await hub.send(admin, 'GET', '/api/collections/alerts/records?sort=value&fields=system,value')
    const { items } = list as { readonly items: readonly { readonly system: string; readonly value: number }[] } // a list of records
    const found = new Map(items.map(({ system, value }) => [system, value]))
    assert.deepEqual([found.get(id), found.get(other), found.get(kept), items.length], [1, 1, 50, 3])
    for (const system of [other, kept]) await hub.send(admin, 'DELETE', `/api/collections/systems/records/${system}`)
  })

  test('a policy sets a rule on the system, the sheet says so, and its switch turns the rule off there', async () => {
    const policy = { user: admin.record.id, name: 'Temperature', values: { threshold: 70, minutes: 5 } }
    await hub.send(admin, 'POST', '/api/collections/alert_policies/records', policy)
    await page.reload()
    await page.getByRole('button', { name: /^Alerts for watched/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Alerts for watched' })
    const rule = sheet.getByRole('switch', { name: 'Temperature' })
    await sheet.getByText('Set by your policy for all systems.').waitFor()
    assert.equal(await rule.getAttribute('aria-checked'), 'true')
    const removed = stored('DELETE', { name: 'Temperature' })
    await rule.click()
    assert.equal((await removed).status(), 200)
    await sheet.getByText('Set by your policy for all systems.').waitFor({ state: 'detached' })
    const path = `/api/vedette/systems/${id}/alert-rules`
    const { items } = (await hub.send(admin, 'GET', path)) as {
      readonly items: readonly { readonly name: string; readonly off: boolean }[]
    } // as the route declares
    assert.deepEqual(
      items.filter(({ name }) => name === 'Temperature').map(({ off }) => off),
      [true],
    )
    await page.keyboard.press('Escape')
  })

  test('firing alert appears on the dashboard, on its page and at the notification service', async () => {
    await measureNow()
    const banner = page.getByRole('link', { name: /An alert is firing/ })
    await banner.waitFor()
    await auditPage(page, 'All Systems while an alert fires')
    await banner.click()
    await page.waitForURL('**/alerts')
    const firing = page.getByRole('region', { name: 'Firing now' })
    await firing.getByText(/above 1 % over 1 min/).waitFor()
    await firing.getByText(/[A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d/).waitFor()
    const told = await service.until(2)
    assert.match(told[1] ?? '', /watched memory above threshold/)
    await page.reload()
    await page.getByRole('region', { name: 'Messages' }).getByText('delivered').waitFor()
    await auditPage(page, 'alerts')

    await hub.send(admin, 'POST', '/api/beszel/user-alerts', { name: 'Memory', value: 99, min: 1, systems: [id], overwrite: true })
    await page.goto('/system/watched')
    await page.getByRole('button', { name: 'Alerts', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('firing', { exact: true }).waitFor()
    await auditPage(page, 'a rule that fires')
    // During a change of the threshold, the chart behind previews when the rule would have fired. Charts of other metrics do not.
    const marked = (chart: string) => page.locator(`section[aria-label="${chart}"] [aria-label*="Would have fired"]`)
    await sheet.getByRole('listitem').filter({ hasText: 'Memory' }).first().getByRole('slider', { name: 'Threshold' }).fill('2')
    await marked('Total Memory Usage').waitFor({ state: 'attached' })
    assert.equal(await marked('Total CPU Usage').count(), 0)
    assert.equal(await page.locator('section[aria-label=Events]').getByText('Would have fired').count(), 0, 'a preview is not an event')
    await page.keyboard.press('Escape')
    await marked('Total Memory Usage').waitFor({ state: 'detached' })
  })

  test('quiet hours are added and removed in the settings', async () => {
    await page.goto('/settings')
    const card = page.getByRole('region', { name: 'Quiet hours' })
    await card.getByRole('button', { name: 'Add quiet hours' }).click()
    await card.getByText(/^Every day, /).waitFor()
    await card.getByRole('button', { name: /^Remove Every day/ }).click()
    await card.getByText(/^Every day, /).waitFor({ state: 'detached' })
    await card.getByLabel('To', { exact: true }).fill('22:00')
    await card.getByRole('button', { name: 'Add quiet hours' }).click()
    await card.getByText('Must be another time than the beginning').waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })
})
