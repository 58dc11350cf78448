import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

describe('rules on the page of alerts', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    for (const [at, name] of ['web', 'db', 'mail'].entries()) await hub.addSystem(admin, { name, port: at + 1 })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await hub[Symbol.asyncDispose]()
  })

  test('rules card counts systems per kind of rule, and one click sets the recommended rules for systems without rules', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/alerts')
    const card = page.getByRole('region', { name: 'Rules', exact: true })
    const count = (kind: string, text: string) => card.getByRole('listitem').filter({ hasText: kind }).getByText(text, { exact: true })
    await card.getByRole('heading', { name: '3 systems without a rule' }).waitFor()
    await count('Temperature', '0 of 3').waitFor()
    await auditPage(page, 'alerts')
    await card.getByRole('button', { name: 'Use recommended for db' }).click()
    await page.getByText('Rules set for db').first().waitFor()
    await card.getByRole('heading', { name: '2 systems without a rule' }).waitFor()
    await count('CPU usage is above', '1 of 3').first().waitFor()
    await card.getByRole('button', { name: 'Use recommended for all 2 systems' }).click()
    await page.getByText('Rules set for 2 systems').first().waitFor()
    await count('CPU usage is above', '3 of 3').first().waitFor()
    await card.getByRole('heading', { name: /without a rule/ }).waitFor({ state: 'detached' })
    const { items } = (await hub.send(admin, 'GET', '/api/collections/alerts/records?perPage=100')) as { items: { name: string }[] } // the contract
    assert.equal(items.length, 18)
    assert.deepEqual(
      new Set(items.map(({ name }) => name)),
      new Set(['Status', 'CPU', 'Memory', 'Disk', 'ContainerHealth', 'SystemdFailed']),
    )
  })
})
