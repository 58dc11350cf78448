import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { queryDeviationOf } from '../recorded-exceptions.ts'
import { readVector, recordedHub } from '../recorded-hub.ts'
import { assertLike, newSaved, send } from '../recorded-step.ts'

type Case = {
  readonly as: string
  readonly collection: string
  readonly status: number
  readonly ids?: readonly string[]
  readonly unordered?: boolean
  readonly error?: Json
  readonly filter?: string
  readonly query?: string
}

type FieldsCase = { readonly as: string; readonly path: string; readonly status: number; readonly body: Json }

for (const kind of databases) {
  for (const file of ['filters', 'sorts']) {
    const { cases } = readVector(`${file}.json`) as { readonly cases: readonly Case[] } // the shape of the recording
    test(`${kind.name}: returns the recorded records: ${file}`, async (t) => {
      await using hub = await recordedHub(kind)
      for (const one of cases) {
        const asked = one.filter === undefined ? (one.query ?? '') : `filter=${encodeURIComponent(one.filter)}`
        const text = `${one.as} ${one.collection} ${one.filter ?? one.query ?? ''}`
        const reason = queryDeviationOf(text)
        if (reason !== undefined) {
          t.diagnostic(`${text} (other on purpose: ${reason})`)
          continue
        }
        await t.test(text, async () => {
          const path = `/api/collections/${one.collection}/records?perPage=200&fields=id&${asked.replaceAll('{{isoToday}}', new Date().toISOString().slice(0, 10)).replaceAll('%7B%7BisoToday%7D%7D', new Date().toISOString().slice(0, 10))}`
          const step = { as: one.as, method: 'GET', path, headers: { 'x-test': 'Vector' }, response: { status: one.status } }
          const response = await send(hub, step, newSaved())
          const body = (await response.json()) as { items?: readonly { id: string }[] } // a page or an error
          assert.equal(response.status, one.status, JSON.stringify(body))
          if (one.ids === undefined) return
          const ids = (body.items ?? []).map(({ id }) => id).filter((id) => !id.startsWith('boss'))
          const ordered = file === 'sorts' && one.unordered !== true
          assert.deepEqual(ordered ? ids : ids.toSorted(), one.ids)
        })
      }
    })
  }

  test(`${kind.name}: returns the recorded fields: fields`, async (t) => {
    const { cases } = readVector('fields.json') as { readonly cases: readonly FieldsCase[] } // the shape of the recording
    await using hub = await recordedHub(kind)
    for (const one of cases) {
      const reason = queryDeviationOf(`${one.as} ${one.path}`)
      if (reason !== undefined) {
        t.diagnostic(`${one.as} ${one.path} (other on purpose: ${reason})`)
        continue
      }
      await t.test(`${one.as} ${one.path}`, async () => {
        const saved = newSaved()
        const response = await send(hub, { as: one.as, method: 'GET', path: one.path, response: { status: one.status } }, saved)
        assert.equal(response.status, one.status)
        const text = await response.text()
        assertLike(text === '' ? null : (JSON.parse(text) as Json), one.body, saved) // a parsed response is JSON
      })
    }
  })
}
