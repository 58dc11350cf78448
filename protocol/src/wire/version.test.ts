import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANNOUNCED_VERSION, isAtLeast, isVedette, parseVersion, shownVersion, versionOfIdentification } from './version.ts'

for (const text of ['0.18.8', '0.13.0-beta1', '0.18.8+vedette.0.1.0', ANNOUNCED_VERSION]) {
  test(`parseVersion accepts ${text}`, () => assert.notEqual(parseVersion(text), undefined))
}
for (const text of ['', 'v0.18.8', '0.18', '00.18.8', '0.18.8.1', '0.18.8-', '0.18.8 x', '8.0']) {
  test(`parseVersion refuses ${JSON.stringify(text)}`, () => assert.equal(parseVersion(text), undefined))
}

const identifications: readonly (readonly [string, boolean])[] = [
  ['SSH-2.0-beszel_0.18.8', true],
  ['SSH-2.0-x_99.0.0', true],
  [`SSH-2.0-beszel_${ANNOUNCED_VERSION}`, true],
  ['SSH-2.0-beszel_0.13.0-beta1', false],
  ['SSH-2.0-beszel_0.12.12', false],
  ['SSH-2.0-Go', false],
  ['SSH-2.0-OpenSSH_9.2', false],
  ['SSH-2.0-other_name_0.18.8', false],
  ['SSH-2.0-beszel_v0.18.8', false],
]
for (const [identification, current] of identifications) {
  test(`versionOfIdentification: ${identification} ${current ? 'speaks' : 'does not speak'} the current generation`, () => {
    const version = versionOfIdentification(identification)
    assert.equal(version !== undefined && isAtLeast(version, [0, 13, 0]), current)
  })
}

test('isAtLeast compares numbers, not texts', () => {
  const version = parseVersion('0.9.10')
  assert.equal(version && isAtLeast(version, [0, 12, 0]), false)
  assert.equal(version && isAtLeast(version, [0, 9, 9]), true)
})

test('shownVersion is our own part of what we announce, and the whole of any other', () => {
  assert.equal(shownVersion('0.18.8+vedette.1.2.3'), '1.2.3')
  assert.equal(shownVersion('0.18.8'), '0.18.8')
  assert.deepEqual([isVedette(ANNOUNCED_VERSION), isVedette('0.18.8'), isVedette(undefined)], [true, false, false])
})
