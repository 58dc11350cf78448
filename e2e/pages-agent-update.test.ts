import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ANNOUNCED_VERSION, VEDETTE_VERSION, WIRE_VERSION } from '@vedette/protocol/wire/version'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

/** Versions of agents by the name of their system. Only the first is older than the agents of this hub. */
const versions = { aged: `${WIRE_VERSION}+vedette.0.0.9`, fresh: ANNOUNCED_VERSION, foreign: '0.0.9' } as const
const names = ['aged', 'fresh', 'foreign'] as const

describe('agents that are older than those of the hub', { timeout: 4 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()

  async function hubWith(...args: readonly string[]): Promise<{ readonly hub: PagesHub; readonly admin: Session }> {
    const hub = made.use(await startPagesHub({ args }))
    const admin = await hub.createAdmin()
    const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
    for (const name of names) {
      const { port } = made.use(await sshAgent(key, () => ({ ...machineSample, agentVersion: versions[name] })))
      await hub.addSystem(admin, { name, port })
    }
    return { hub, admin }
  }

  let hub: PagesHub
  let admin: Session
  before(async () => void ({ hub, admin } = await hubWith()))
  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const hint = `Agent 0.0.9 is older than the hub's ${VEDETTE_VERSION}. Update it on its machine: sudo vedette-agent update --from URL`

  test('All Systems marks only the older agent, and its page has the command', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    const cell = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await cell('aged').getByText(hint).waitFor()
    for (const name of ['fresh', 'foreign'] as const) {
      await cell(name).locator('[data-status=up]').waitFor()
      assert.equal(await cell(name).getByText('Update it').count(), 0)
    }
    await cell('aged').getByRole('link', { name: 'aged' }).click()
    await page.getByRole('main').getByText(hint).waitFor()
  })

  test('requests of existing clients get the response that they know', async () => {
    for (const path of ['/api/beszel/getkey', '/api/beszel/info'])
      assert.deepEqual(Object.keys((await hub.send(admin, 'GET', path)) as object), ['key', 'v', 'cu'])
  })

  test('--agent-update-hint false switches the hint off', async () => {
    const quiet = await hubWith('--agent-update-hint', 'false')
    const offered = (await quiet.hub.send(quiet.admin, 'GET', '/agent/')) as { readonly hasUpdateHint: boolean } // the documented index
    assert.equal(offered.hasUpdateHint, false)
    await using page = await quiet.hub.openPage(quiet.admin)
    await page.goto('/')
    await page.getByRole('row', { name: /aged/ }).getByText('0.0.9', { exact: true }).waitFor()
    await page.getByText(`Vedette ${VEDETTE_VERSION}`, { exact: true }).waitFor()
    assert.equal(await page.getByText('Update it').count(), 0)
  })
})
