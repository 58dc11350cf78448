import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RouteDeclaration, doorOf, type Door } from '../../src/http/routing/define-route.ts'
import { hubRoutes } from '../../src/startup/hub-routes.ts'
import { accessRequest, rows, type Row } from '../access-requests.ts'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

/** A guest, a read-only user, another user, the owner, an admin, and the same admin signed in through `_superusers`. */
const callers = ['guest', 'rita', 'bob', 'alice', 'boss', 'super'] as const

/** The status with which each access level refuses a caller; undefined if the caller passes. */
const refusals: Readonly<Record<Door, readonly (number | undefined)[]>> = {
  anyone: [],
  'signed in': [401],
  person: [401, undefined, undefined, undefined, undefined, 403],
  admin: [401, 403, 403, 403],
  'person who is an admin': [401, 403, 403, 403, undefined, 403],
  'oldest-generation admin': [401, 401, 401, 401, 401],
  'API key': [401, 401, 401, 401, 401, 401],
}

const nameOf = ({ method, path }: RouteDeclaration): string => `${method} ${path}`

function expectedStatuses({ access }: RouteDeclaration, { statuses, behind = 200 }: Row): readonly number[] {
  return statuses ?? callers.map((_, place) => refusals[doorOf(access)][place] ?? behind)
}

test('each row names a declared route, and has statuses exactly if the route checks access in its handler', () => {
  const known = new Map(hubRoutes.map((route) => [nameOf(route), route]))
  for (const [name, { statuses }] of Object.entries(rows)) {
    const route = known.get(name)
    assert.ok(route, `${name} is declared nowhere`)
    assert.equal(statuses !== undefined, typeof route.access === 'object', name)
  }
  for (const [name, { access }] of known) assert.ok(typeof access === 'string' || rows[name]?.statuses !== undefined, name)
})

for (const kind of databases) {
  test(`${kind.name}: every route is open to the callers that its declaration allows, and to no others`, async (t) => {
    await using hub = await recordedHub(kind)
    const served = hub.app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
    const declared = hubRoutes.filter(({ method }) => method !== 'ALL').map(nameOf)
    assert.deepEqual(served.toSorted(), [...declared, 'GET /*'].toSorted())
    for (const route of hubRoutes) {
      const row = rows[nameOf(route)] ?? {}
      await t.test(nameOf(route), async () => {
        const got: number[] = []
        for (const as of callers) {
          const { method, path, body } = accessRequest(route)
          const sent = body === undefined ? {} : { json: body }
          const step = { as, method, path, ...sent, response: { status: 0 } }
          const response = await send(hub, step, newSaved())
          if (response.status === 200 && typeof route.response === 'object') route.response.parse(await response.json())
          else await response.body?.cancel()
          got.push(response.status)
        }
        assert.deepEqual(got, expectedStatuses(route, row))
      })
    }
  })

  test(`${kind.name}: a path that is no route returns the dashboard to every caller`, async () => {
    await using hub = await recordedHub(kind)
    for (const as of callers) {
      const response = await send(hub, { as, method: 'GET', path: '/systems', response: { status: 0 } }, newSaved())
      await response.body?.cancel()
      assert.equal(response.status, 200, as)
    }
  })
}
