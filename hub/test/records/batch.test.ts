import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'
import { roundsOf } from '../longer-runs.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

const ROUNDS = roundsOf({ short: 2, long: 5, soak: 20 })
const SIZE = 50
const admin = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
const alice = dataset.aliases['alice'] ?? ''
const quiet = (user: string) => ({ user, type: 'daily', start: '2024-01-01', end: '2024-01-02' })
const ADD = { method: 'POST', url: '/api/collections/quiet_hours/records' }

for (const kind of databases) {
  test(`${kind.name}: a batch with an invalid request stores nothing and publishes no events`, async () => {
    await using hub = await recordedHub(kind)
    const before = await hub.engine.store.loadWhere('quiet_hours', {})
    // A sign-in publishes an event, too.
    await hub.tokenOf('alice')
    const told = hub.test.events.length
    const good = { ...ADD, body: quiet(alice) }
    for (const bad of [
      { ...ADD, body: { ...quiet(alice), type: 'never' } },
      { ...ADD, body: quiet(dataset.aliases['bob'] ?? '') },
      { method: 'DELETE', url: '/api/collections/systems/records/sys000000000003' },
      { method: 'PATCH', url: '/api/collections/users/records/usralice0000001', body: { role: 'admin' } },
      { method: 'GET', url: '/api/collections/systems/records' },
      { method: 'POST', url: '//elsewhere/api/collections/quiet_hours/records', body: quiet(alice) },
      { method: 'DELETE', url: '/api/collections/quiet_hours/records/%' },
    ]) {
      const json = { requests: [good, bad, good] } as Json // plain objects
      const response = await send(hub, { as: 'alice', method: 'POST', path: '/api/batch', json, response: { status: 400 } }, newSaved())
      const { data } = (await response.json()) as { data: { requests: Record<string, unknown> } } // an error
      assert.deepEqual([response.status, Object.keys(data.requests)], [400, ['1']], JSON.stringify(bad))
      assert.deepEqual(await hub.engine.store.loadWhere('quiet_hours', {}), before)
      assert.equal(hub.test.events.length, told)
    }
  })

  test(`${kind.name}: a batch during which the hub is killed is stored completely or not at all`, { timeout: 600_000 }, async () => {
    await using place = await kind.place()
    const data = mkdtempSync(join(tmpdir(), 'vedette-batch-'))
    const flags = 'url' in place.at ? ['--data', data, '--database', place.at.url] : ['--data', data]
    let acknowledged = 0
    const people = new Set<string>()
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const hub = await startHubProcess(flags, admin)
        const session = await signIn(hub)
        people.add(session.id)
        const requests = Array.from({ length: SIZE }, () => ({ ...ADD, body: quiet(session.id) }))
        const write = async (): Promise<void> => {
          for (;;) {
            const response = await fetch(`${hub.address}/api/batch`, {
              method: 'POST',
              headers: session.headers,
              body: JSON.stringify({ requests }),
            })
            const text = await response.text()
            // On a busy machine a batch may exceed its time limit. It is not acknowledged then.
            if (response.status === 503 || text.includes('The batch took longer than')) continue
            assert.equal(response.status, 200, text)
            acknowledged += 1
            // The batch of another writer is running now.
            if (acknowledged >= 2 * (round + 1)) hub.kill('SIGKILL')
          }
        }
        const outcomes = await Promise.allSettled([write(), write()])
        for (const outcome of outcomes)
          assert.ok(outcome.status === 'rejected' && !(outcome.reason instanceof assert.AssertionError), inspect(outcome))
        assert.equal(await hub.ended, 'SIGKILL')
      }
      const hub = await startHubProcess(flags, admin)
      const { headers, id } = await signIn(hub)
      assert.deepEqual([...people], [id], 'the same database, the same person')
      const page = await fetch(`${hub.address}/api/collections/quiet_hours/records?perPage=1`, { headers })
      const { totalItems } = (await page.json()) as { totalItems: number } // a page
      assert.equal(totalItems % SIZE, 0)
      assert.ok(totalItems >= acknowledged * SIZE, `${totalItems} of ${acknowledged * SIZE}`)
      hub.kill('SIGTERM')
      assert.equal(await hub.ended, 0)
    } finally {
      rmSync(data, { recursive: true, force: true })
    }
  })
}

async function signIn(hub: HubProcess) {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ identity: admin.VEDETTE_ADMIN_EMAIL, password: admin.VEDETTE_ADMIN_PASSWORD })
  const response = await fetch(`${hub.address}/api/collections/users/auth-with-password`, { method: 'POST', headers: json, body })
  const { token, record } = (await response.json()) as { token: string; record: { id: string } } // a session
  return { id: record.id, headers: { ...json, authorization: token } }
}
