import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { databases } from '../hub/test/databases.ts'
import { startNatsServer, withNats, type NatsServer } from '../hub/test/nats-server.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)
const { ready } = postgres

describe('page of a hub that shares its database', { timeout: 10 * STEP_MS, ...withNats }, () => {
  const started = new AsyncDisposableStack()
  let nats: NatsServer
  let hub: PagesHub
  let admin: Session

  before(async () => {
    nats = started.use(await startNatsServer())
    const { at } = started.use(await ready())
    assert.ok('url' in at)
    const several = ['--database', at.url, '--nats', nats.url, '--secret-key', 'one key for all hubs of a database']
    hub = started.use(await startPagesHub({ args: several }))
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await started.disposeAsync()
  })

  for (const { path, name } of [
    { path: '/', name: 'All Systems' },
    { path: '/system/hall', name: 'the page of a system' },
  ]) {
    test(`page of ${name} says that changes are delayed while NATS is down, also after a reload, and when they are live again`, async () => {
      if (path !== '/') await hub.addSystem(admin, { name: 'hall', port: 1 })
      await using page = await hub.openPage(admin)
      await page.goto(path)
      const bar = page.getByRole('banner')
      await bar.getByText('live', { exact: true }).waitFor()
      await nats.stop()
      await bar.getByText('changes of other hubs arrive up to 5 s late').waitFor()
      await page.reload()
      await bar.getByText('delayed', { exact: true }).waitFor()
      await nats.start()
      await bar.getByText('live', { exact: true }).waitFor()
      assert.equal(await bar.getByText('delayed').count(), 0)
    })
  }
})
