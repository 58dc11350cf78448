import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from './programs.ts'
import { startPagesHub } from './pages-hub.ts'

test('All Systems says when the hub stores nothing, and why', { timeout: 180_000 }, async () => {
  await using hub = await startPagesHub()
  const admin = await hub.createAdmin()
  const id = await hub.addSystem(admin, { name: 'quiet', port: await freePort() })
  // Nothing asks for it, so that nothing comes in between.
  await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'paused' })
  const page = await hub.openPage(admin)
  // Up, and not heard of for long: what all systems are while nothing is stored.
  await page.route('**/api/collections/systems/records?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { readonly items: readonly object[] } // as every list
    const items = list.items.map((system) => ({ ...system, status: 'up', info: { at: Date.now() - 600_000, cpu: 1 } }))
    await route.fulfill({ response, json: { ...list, items } })
  })
  const asked = page.waitForResponse('**/api/vedette/storing')
  await page.goto('/')
  await page.getByRole('link', { name: 'quiet', exact: true }).waitFor()
  assert.deepEqual(await (await asked).json(), { state: 'storing' })
  assert.equal(await page.getByText('nothing has been stored').count(), 0)

  for (const [reason, words] of [
    ['full', 'The hub’s disk is full: nothing has been stored since'],
    ['away', 'The hub does not reach its database: nothing has been stored since'],
  ] as const) {
    await page.route('**/api/vedette/storing', (route) =>
      route.fulfill({ json: { state: 'paused', reason, sinceMs: Date.now() - 300_000 } }),
    )
    await page.reload()
    await page.getByRole('status').filter({ hasText: words }).waitFor()
  }
  assert.deepEqual(hub.pageErrors, [])
})
