import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { behavingSshAgent, bytesOf, documentReply, finish } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { shiftsOf, watchShifts } from './pages-shifts.ts'
import { richMachine } from './rich-machine.ts'

const { ages: _, ...machine } = richMachine

describe('page whose data arrives later', { timeout: 4 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(await startPagesHub())
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  for (const [width, height] of [
    [1440, 900],
    [768, 900],
    [360, 780],
  ] as const) {
    test(`page of a pending system has no layout shift when its first sample arrives, ${width} px`, async () => {
      const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
      const shown = Promise.withResolvers<void>()
      await using agent = await behavingSshAgent(key, {
        async behave(channel, asked) {
          await asked
          await shown.promise
          finish(channel, bytesOf(encodeEnvelope(documentReply(machine))))
        },
      })
      const name = `new-${width}`
      await hub.addSystem(admin, { name, port: agent.port })
      await using page = await hub.openPage(admin, { viewport: { width, height } })
      await page.addInitScript(watchShifts)
      await page.goto(`/system/${name}`)
      await page.getByText('Waiting', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'Total CPU Usage', exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      shown.resolve()
      await page.getByText('Up', { exact: true }).waitFor()
      await page.getByRole('region', { name: 'Docker CPU Usage', exact: true }).locator('canvas').waitFor()
      assert.deepEqual(await shiftsOf(page), [])
    })
  }
})
