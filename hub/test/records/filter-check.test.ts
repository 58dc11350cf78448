import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub } from '../recorded-hub.ts'

/** Filters, and the position of the error: a number, or undefined if there is no single position. */
const filters: readonly (readonly [filter: string, at: number | 'readable' | 'somewhere'])[] = [
  ['', 'readable'],
  ['name = "north" && info.cpu > 3', 'readable'],
  ['name ~~ (', 6],
  ['name = "a" #', 11],
  ['name = "a" || (host = "b"', 14],
  ['name = "a" port', 11],
  ['name', 0],
  ['nosuch = 1', 'somewhere'],
]

for (const kind of databases) {
  test(`${kind.name}: admins get the error message and the position of an invalid filter`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    for (const [filter, expected] of filters) {
      const search = new URLSearchParams({ collection: 'systems', filter })
      const { status, body } = await call(hub, `GET /api/vedette/filter?${search.toString()}`, {}, { token })
      const found = body as { readonly ok: boolean; readonly at?: number; readonly message?: string } // the response of the route
      assert.equal(status, 200, filter)
      assert.equal(found.ok ? 'readable' : (found.at ?? 'somewhere'), expected, filter)
      if (!found.ok) assert.match(found.message ?? '', /^Cannot read the filter/)
    }
    const { status } = await call(hub, 'GET /api/vedette/filter?collection=nosuch', {}, { token })
    assert.equal(status, 400)
  })
}
