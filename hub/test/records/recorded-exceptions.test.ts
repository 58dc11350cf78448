import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviationOf, isLater, lineOf, queryDeviationOf } from '../recorded-exceptions.ts'
import { readVector } from '../recorded-hub.ts'
import type { Step } from '../recorded-step.ts'

const calls = ['spec-calls', 'basics', 'records', 'auth', 'batch', 'admin', 'hub', 'first-run', 'hub-0.2.0'] as const

type Recording = { readonly groups: readonly { readonly group: string; readonly steps: readonly Step[] }[] }
type Query = {
  readonly as: string
  readonly collection?: string
  readonly path?: string
  readonly filter?: string
  readonly query?: string
}

/** A new exception needs a better reason than the existing ones. */
const MOST_ON_PURPOSE = 40
const MOST_LATER = 0

test('few recorded responses have an exception', () => {
  const steps = calls.flatMap((file) => {
    const { groups } = readVector(`${file}.json`) as Recording // the shape of the recording
    return groups.flatMap(({ group, steps: all }) => all.filter((step) => 'response' in step).map((step) => lineOf(file, group, step)))
  })
  const queries = ['filters', 'sorts', 'fields'].flatMap((file) => {
    const { cases } = readVector(`${file}.json`) as { readonly cases: readonly Query[] } // the shape of the recording
    return cases.map(({ as, collection, path, filter, query }) =>
      path === undefined ? `${as} ${collection} ${filter ?? query ?? ''}` : `${as} ${path}`,
    )
  })
  assert.ok(steps.length > 800 && queries.length > 600)
  const other = [
    ...steps.filter((line) => deviationOf(line) !== undefined),
    ...queries.filter((text) => queryDeviationOf(text) !== undefined),
  ]
  const later = other.filter(isLater)
  assert.ok(later.length <= MOST_LATER, `${later.length}:\n${later.join('\n')}`)
  assert.ok(other.length - later.length <= MOST_ON_PURPOSE, `${other.length - later.length}:\n${other.join('\n')}`)
})
