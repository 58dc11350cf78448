import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Request } from 'playwright-core'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const isSystemsList = (request: Request): boolean => {
  const { pathname, searchParams } = new URL(request.url())
  return pathname === '/api/collections/systems/records' && searchParams.get('perPage') !== '1'
}

/**
 * Lets timers of 1 s or more run 60 times longer. A page fetches a list without the event stream after 1 s, and again once it is connected;
 * a busy machine may need longer to connect.
 */
const WAIT_LONGER = `{
  const { setTimeout } = window
  window.setTimeout = (run, wait = 0, ...rest) => setTimeout(run, wait < 1000 ? wait : 60 * wait, ...rest)
}`

describe('requests of a page', { timeout: 4 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  for (const path of ['/', '/alerts', '/system/gauge']) {
    test(`${path} reads the list of systems once, even after its event stream is connected`, async () => {
      await using page = await hub.openPage(admin)
      await page.addInitScript(WAIT_LONGER)
      const reads: string[] = []
      page.on('request', (request) => isSystemsList(request) && reads.push(request.url()))
      await page.goto(path)
      await page.getByText('live', { exact: true }).waitFor()
      // The first event after the connection is open. All requests of the connection were sent before it.
      await hub.send(admin, 'POST', '/api/collections/systems/records', {
        name: `for ${path}`,
        host: 'nowhere.invalid',
        port: '1',
        users: admin.record.id,
      })
      const [gauge] = await systems()
      await hub.send(admin, 'PATCH', `/api/collections/systems/records/${gauge.id}`, { host: `127.0.0.${path.length + 1}` })
      if (path !== '/alerts') await page.getByText(path === '/' ? `for ${path}` : `127.0.0.${path.length + 1}`).waitFor()
      assert.equal(reads.length, 1, reads.join('\n'))
    })
  }

  const systems = async () => {
    const list = await hub.send(admin, 'GET', `/api/collections/systems/records?filter=${encodeURIComponent('name = "gauge"')}`)
    return (list as { readonly items: readonly [{ readonly id: string }] }).items // the system of these tests
  }
})
