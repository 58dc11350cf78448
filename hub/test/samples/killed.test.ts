import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'

const ROUNDS = process.env['VEDETTE_LONG'] === '1' ? 25 : 2
const WRITERS = 4
const admin = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }

for (const kind of databases) {
  test(
    `${kind.name}: a hub that is killed during writes has stored everything it acknowledged (${ROUNDS} rounds)`,
    { timeout: 600_000 },
    async () => {
      await using place = await kind.place()
      const data = mkdtempSync(join(tmpdir(), 'vedette-killed-'))
      const flags = 'url' in place.at ? ['--data', data, '--database', place.at.url] : ['--data', data]
      const acknowledged = new Set<string>()
      try {
        for (let round = 0; round < ROUNDS; round += 1) {
          const hub = await startHubProcess(flags, admin)
          await assertHolds(hub, acknowledged)
          // The number of responses differs in each round, so that the kill comes at different moments of the writes.
          await writeUntil(hub, acknowledged, acknowledged.size + 5 + ((round * 7) % 23))
          assert.equal(await hub.ended, 'SIGKILL')
        }
        const last = await startHubProcess(flags, admin)
        await assertHolds(last, acknowledged)
        last.kill('SIGTERM')
        assert.equal(await last.ended, 0)
        assert.equal(last.complaints(), '')
      } finally {
        rmSync(data, { recursive: true, force: true })
      }
    },
  )
}

/** Several users write at once. After enough responses the hub is killed during the other writes. */
async function writeUntil(hub: HubProcess, acknowledged: Set<string>, enough: number): Promise<void> {
  const session = await signIn(hub)
  const body = JSON.stringify({ user: session.id, type: 'daily', start: '2024-01-01', end: '2024-01-02' })
  const write = async (): Promise<void> => {
    for (;;) {
      const response = await fetch(`${hub.address}/api/collections/quiet_hours/records`, { method: 'POST', headers: session.headers, body })
      assert.equal(response.status, 200)
      const { id } = (await response.json()) as { id: string } // a record
      acknowledged.add(id)
      if (acknowledged.size >= enough) hub.kill('SIGKILL')
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: WRITERS }, write))
  for (const outcome of outcomes)
    assert.ok(outcome.status === 'rejected' && !(outcome.reason instanceof assert.AssertionError), String(outcome))
}

async function assertHolds(hub: HubProcess, acknowledged: ReadonlySet<string>): Promise<void> {
  const { headers } = await signIn(hub)
  const found = new Set<string>()
  for (let page = 1, full = true; full; page += 1) {
    const response = await fetch(`${hub.address}/api/collections/quiet_hours/records?perPage=1000&fields=id&page=${page}`, { headers })
    const { items } = (await response.json()) as { items: readonly { id: string }[] } // a page
    for (const { id } of items) found.add(id)
    full = items.length === 1000
  }
  assert.deepEqual(
    [...acknowledged].filter((id) => !found.has(id)),
    [],
  )
}

async function signIn(hub: HubProcess) {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ identity: admin.VEDETTE_ADMIN_EMAIL, password: admin.VEDETTE_ADMIN_PASSWORD })
  const response = await fetch(`${hub.address}/api/collections/users/auth-with-password`, { method: 'POST', headers: json, body })
  const { token, record } = (await response.json()) as { token: string; record: { id: string } } // a session
  return { id: record.id, headers: { ...json, authorization: token } }
}
