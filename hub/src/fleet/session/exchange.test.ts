import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcedIn, generationOf, understands, type Generation } from './exchange.ts'

const identifications: readonly (readonly [identification: string, announced: string, generation: Generation])[] = [
  ['SSH-2.0-Go', '', 'unasked'],
  ['SSH-2.0-OpenSSH_8.0', '', 'unasked'],
  ['SSH-2.0-beszel', '', 'unasked'],
  ['SSH-2.0-beszel_0.12.12', '0.12.12', 'unasked'],
  ['SSH-2.0-beszel_0.13.0-beta1', '0.13.0-beta1', 'unasked'],
  ['SSH-2.0-beszel_0.13.0', '0.13.0', 'asked'],
  ['SSH-2.0-whatever_0.18.8', '0.18.8', 'asked'],
  ['SSH-2.0-beszel_0.18.8+vedette.0.1.0', '0.18.8+vedette.0.1.0', 'asked'],
  ['SSH-2.0-beszel_v0.18.8', '', 'unasked'],
  ['SSH-2.0-beszel_0.18.8 a comment', '', 'unasked'],
]

for (const [identification, announced, generation] of identifications) {
  test(`generationOf an agent that calls itself "${identification}" is ${generation}`, () => {
    assert.equal(announcedIn(identification), announced)
    assert.equal(generationOf(announcedIn(identification)), generation)
  })
}

test('understands asks no agent for what it does not know', () => {
  const known = (version: string) =>
    (['container-logs', 'smart', 'service-details', 'diagnosis'] as const).filter((action) => understands(version, action))
  assert.deepEqual(known(''), [])
  assert.deepEqual(known('0.12.12'), [])
  assert.deepEqual(known('0.13.2'), [])
  assert.deepEqual(known('0.14.1'), ['container-logs'])
  assert.deepEqual(known('0.15.0'), ['container-logs', 'smart'])
  assert.deepEqual(known('0.18.8'), ['container-logs', 'smart', 'service-details'])
  assert.deepEqual(known('0.18.8+vedette.0.1.0'), ['container-logs', 'smart', 'service-details', 'diagnosis'])
})
