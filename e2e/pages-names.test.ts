import assert from 'node:assert/strict'
import { test } from 'node:test'
import { names, oddlyNamed } from '../hub/test/oddly-named-machine.ts'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS } from './pages-hub.ts'

test('pages list and draw items whose names equal members that every object inherits', { timeout: 4 * STEP_MS }, async () => {
  await using hub = await startPagesHub()
  const admin = await hub.createAdmin()
  const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
  await using agent = await sshAgent(key, () => oddlyNamed)
  for (const name of names) await hub.addSystem(admin, { name, port: agent.port })
  await using page = await hub.openPage(admin)
  await page.goto('/')
  for (const name of names)
    await page
      .locator('[data-health=up]')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .waitFor()
  await page.goto('/system/__proto__')
  await page.locator('canvas').first().waitFor()
  for (const title of ['Docker CPU Usage', 'Docker Memory Usage', 'Temperature']) {
    const card = page.getByRole('region', { name: title, exact: true }).first()
    await card.scrollIntoViewIfNeeded()
    await card.getByRole('button', { name: `${title}: show the numbers` }).click()
    for (const name of names) await card.getByRole('columnheader', { name }).first().waitFor()
  }
  assert.deepEqual(hub.pageErrors, [])
})
