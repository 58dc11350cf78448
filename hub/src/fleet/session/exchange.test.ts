import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionInIdentification, replyModeOf, understands, type ReplyMode } from './exchange.ts'

const identifications: readonly (readonly [identification: string, announced: string, replyMode: ReplyMode])[] = [
  ['SSH-2.0-Go', '', 'unsolicited'],
  ['SSH-2.0-OpenSSH_8.0', '', 'unsolicited'],
  ['SSH-2.0-beszel', '', 'unsolicited'],
  ['SSH-2.0-beszel_0.12.12', '0.12.12', 'unsolicited'],
  ['SSH-2.0-beszel_0.13.0-beta1', '0.13.0-beta1', 'unsolicited'],
  ['SSH-2.0-beszel_0.13.0', '0.13.0', 'on request'],
  ['SSH-2.0-whatever_0.18.8', '0.18.8', 'on request'],
  ['SSH-2.0-beszel_0.18.8+vedette.0.1.0', '0.18.8+vedette.0.1.0', 'on request'],
  ['SSH-2.0-beszel_v0.18.8', '', 'unsolicited'],
  ['SSH-2.0-beszel_0.18.8 a comment', '', 'unsolicited'],
]

for (const [identification, announced, replyMode] of identifications) {
  test(`replyModeOf an agent with the identification "${identification}" is ${replyMode}`, () => {
    assert.equal(versionInIdentification(identification), announced)
    assert.equal(replyModeOf(versionInIdentification(identification)), replyMode)
  })
}

test('understands returns false for requests that an agent version does not support', () => {
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
