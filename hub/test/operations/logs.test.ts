import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveLogTail } from '../../src/operations/logs/log-tail.ts'
import { databases } from '../databases.ts'
import { following } from '../followed-topic.ts'
import { call } from '../mailing-hub.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

type Item = {
  readonly id: string
  readonly message: string
  readonly level: number
  readonly created: string
  readonly data: { readonly [name: string]: unknown }
}
type Page = { readonly items: readonly Item[]; readonly totalItems: number; readonly last: number; readonly before: number | null }

for (const kind of databases) {
  test(`${kind.name}: requests are logged with account and status, in the format that clients of other hubs expect`, async () => {
    await using hub = await recordedHub(kind)
    const [token, own] = [await hub.tokenOf('super'), await hub.tokenOf('alice')]
    const ask = async (path: string, as = token) => {
      const { status, body } = await call(hub, `GET ${path}`, {}, { token: as })
      return { status, page: body as unknown as Page } // the response of the route
    }
    await call(hub, 'GET /api/collections/systems/records?page=1&filter=name="x"', {}, { token: own })
    await call(hub, 'GET /api/settings', {}, { token: own })
    await call(hub, 'GET /api/health', {}, {})
    await hub.app.request('/reset-password/some-token')
    const { page } = await ask('/api/logs?sort=-created')
    assert.deepEqual(
      page.items.map(({ message, level, data }) => [message, level, data['status'], data['auth'], data['authId'], data['url']]),
      [
        ['GET /api/settings', 4, 403, 'users', dataset.aliases['alice'], '/api/settings'],
        [
          'GET /api/collections/systems/records',
          0,
          200,
          'users',
          dataset.aliases['alice'],
          '/api/collections/systems/records?page=1&filter=…',
        ],
      ],
    )
    const [first] = page.items
    assert.ok(first)
    assert.deepEqual((await ask(`/api/logs/${first.id}`)).page, first)
    assert.deepEqual((await ask('/api/logs/?filter=data.status>=400&fields=message')).page, {
      items: [{ message: 'GET /api/settings' }],
      page: 1,
      perPage: 30,
      totalItems: 1,
      totalPages: 1,
    })
    assert.deepEqual((await ask('/api/logs/stats')).page, [{ total: 2, date: `${first.created.slice(0, 13)}:00:00.000Z` }])
    assert.equal((await ask('/api/logs/l00000000000099')).status, 404)
    assert.equal((await ask('/api/logs?filter=nope=1')).status, 400)
    assert.equal((await ask('/api/logs?sort=nope')).status, 400)
  })

  test(`${kind.name}: the log routes return pages, newer entries, histograms and downloads, and delete the log`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const ask = async (path: string) => {
      const response = await hub.app.request(path, { headers: { authorization: token } })
      return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
    }
    const page = async (path: string) => JSON.parse((await ask(path)).text) as Page // the response of the route
    for (let at = 0; at < 5; at++) await ask('/api/crons')
    const newest = await page('/api/vedette/logs?limit=2')
    const older = await page(`/api/vedette/logs?limit=200&before=${newest.before}`)
    assert.deepEqual([newest.items.length, older.items.length, older.before], [2, 3, null])
    assert.deepEqual(await page(`/api/vedette/logs?after=${newest.last}`), { items: [], last: newest.last })
    await ask('/api/backups')
    await hub.logBook.flush()
    const since = await page(`/api/vedette/logs?after=${newest.last}&filter=message~"backups"`)
    assert.deepEqual(
      since.items.map(({ message }) => message),
      ['GET /api/backups'],
    )
    // Entries that do not match are not scanned again.
    const nothing = await page(`/api/vedette/logs?after=${newest.last}&filter=message="nothing"`)
    assert.deepEqual(nothing, { items: [], last: since.last })
    const histogram = JSON.parse((await ask('/api/vedette/logs/histogram')).text) as { readonly total: number } // the response of the route
    assert.equal(histogram.total, 6)
    const csv = await ask('/api/vedette/logs/export?format=csv&filter=data.status=200')
    assert.match(csv.type, /^text\/csv/)
    assert.deepEqual(
      csv.text.split('\r\n').map((line) => line.split(',')[2]),
      ['message', 'GET /api/backups', ...Array(5).fill('GET /api/crons'), undefined],
    )
    const lines = (await ask('/api/vedette/logs/export')).text.trimEnd().split('\n')
    assert.deepEqual(lines.map((line) => (JSON.parse(line) as Item).id).length, 6)
    const files = await hub.app.request('/api/files/token', { method: 'POST', headers: { authorization: token } })
    const { token: forFiles } = (await files.json()) as { readonly token: string } // the response of the route
    const other = await hub.app.request('/api/files/token', { method: 'POST', headers: { authorization: await hub.tokenOf('alice') } })
    const { token: ofAlice } = (await other.json()) as { readonly token: string } // the response of the route
    const saved = async (one: string) => (await hub.app.request(`/api/vedette/logs/export?token=${one}`)).status
    assert.deepEqual([await saved(forFiles), await saved(ofAlice), await saved(token)], [200, 401, 401])
    for (const path of ['?before=x', '/export?format=xls', '?from=-1'])
      assert.equal((await ask(`/api/vedette/logs${path}`)).status, 400, path)

    const wrong = await call(hub, 'PATCH /api/settings', { logs: { maxDays: -1, logIP: 'x', maxRows: 1 } }, { token })
    assert.deepEqual(
      [wrong.status, Object.keys((wrong.body['data'] as { readonly logs: object }).logs)],
      [400, ['maxDays', 'logIP', 'maxRows']],
    )
    const kept = await call(hub, 'PATCH /api/settings', { logs: { maxDays: 30 } }, { token })
    assert.equal((kept.body['logs'] as { readonly maxDays: number }).maxDays, 30)
    assert.equal((await hub.app.request('/api/logs', { method: 'DELETE', headers: { authorization: token } })).status, 204)
    // The request that deleted the log is the first entry of the new log.
    assert.deepEqual(
      (await page('/api/vedette/logs')).items.map(({ message }) => message),
      ['DELETE /api/logs'],
    )
    const audit = await call(hub, 'GET /api/vedette/audit?target=logs', {}, { token })
    assert.equal(audit.body['totalItems'], 1)
  })

  test(`${kind.name}: subscribers of the log are notified of new entries, if they are admins`, async () => {
    await using hub = await recordedHub(kind)
    const stop = serveLogTail(hub.realtime, hub.logBook)
    const boss = await following(hub, 'boss', 'logs')
    const other = await following(hub, 'alice', 'logs')
    await hub.app.request('/api/settings')
    await hub.logBook.flush()
    const [told] = await boss.read(2)
    assert.equal(typeof told?.['last'], 'number')
    // By now, an event for the other subscriber would have been written.
    assert.equal(other.status, boss.status)
    assert.deepEqual(await other.read(1), [])
    await Promise.all([boss.close(), other.close()])
    stop()
  })
}
