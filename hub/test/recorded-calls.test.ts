import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from './databases.ts'
import { readVector, recordedHub, TARPIT } from './recorded-hub.ts'
import { otherOnPurpose } from './recorded-exceptions.ts'
import { assertLike, keep, newSaved, send, type Step } from './recorded-step.ts'

type Recording = { readonly groups: readonly { readonly group: string; readonly steps: readonly Step[] }[] }

/** Of the recorded endpoints of a hub's own, the groups that are served. */
const servedOfHub = ['containers, systemd, smart']

for (const file of ['spec-calls', 'basics', 'records', 'auth', 'hub']) {
  const { groups } = readVector(`${file}.json`) as Recording
  const served = groups.filter(({ group }) => file !== 'hub' || servedOfHub.includes(group))
  for (const kind of databases) {
    for (const { group, steps } of served) {
      test(`${kind.name}: answers as recorded: ${file}, ${group}`, async (t) => {
        await using hub = await recordedHub(kind)
        const saved = newSaved()
        for (const [at, step] of steps.entries()) {
          const response = await send(hub, step, saved)
          const text = await response.text()
          const body =
            response.headers.get('content-type')?.startsWith('application/json') === true && text !== '' ? (JSON.parse(text) as Json) : null
          keep(step, body, saved)
          const reason = otherOnPurpose(file, group, step)
          const called = `${at}: ${step.as ?? 'guest'} ${step.method} ${step.path}${reason === undefined ? '' : ` (other on purpose: ${reason})`}`
          if (reason !== undefined) t.diagnostic(called)
          else await t.test(called, () => compare(response, body, step, saved))
        }
      })
    }
  }
}

function compare(response: Response, body: Json, step: Step, saved: ReturnType<typeof newSaved>): void {
  assert.equal(response.status, step.response.status, JSON.stringify(body))
  for (const [name, value] of Object.entries(step.response.headers ?? {}))
    assert.ok(response.headers.get(name)?.includes(value), `${name}: ${response.headers.get(name)}`)
  if (step.response.body !== undefined) assertLike(inAnyOrder(step, body), inAnyOrder(step, step.response.body), saved)
}

/** A list nobody sorted has no order. */
function inAnyOrder(step: Step, body: Json): Json {
  if (step.path.includes('sort=') || !isPage(body)) return body
  const key = (item: Json): string => JSON.stringify(item, ['id', 'name', 'port', 'users']).replaceAll(TARPIT, '<tarpit>')
  const { items } = body
  return { ...body, items: items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) }
}

type Page = { readonly items: readonly Json[] } & { readonly [key: string]: Json }

function isPage(body: Json): body is Page {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body['items'])
}
