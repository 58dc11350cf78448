import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANNOUNCED_VERSION, isAtLeast, isOlder, isVedette, parseVersion, shownVersion, versionOfIdentification } from './version.ts'

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
  ['0.18.8', false],
  ['x_0.18.8', true],
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

test('parseVersion returns each part of a version', () => {
  assert.deepEqual(parseVersion('10.20.30-beta.1+build.7'), { major: 10, minor: 20, patch: 30, prerelease: 'beta.1', build: 'build.7' })
  assert.deepEqual(parseVersion('0.1.2'), { major: 0, minor: 1, patch: 2, prerelease: '', build: '' })
  for (const wrong of ['01.2.3', '1.02.3', '1.2.03', '1.2.3+', 'x1.2.3', '1.2.3_']) assert.equal(parseVersion(wrong), undefined, wrong)
})

test('isAtLeast decides by the first different number, and orders a pre-release before its release', () => {
  const least = (text: string): boolean => {
    const version = parseVersion(text)
    return version !== undefined && isAtLeast(version, [1, 2, 3])
  }
  assert.deepEqual(['1.2.3', '1.2.4', '1.3.0', '2.0.0', '1.2.4-beta', '1.2.3+x'].map(least), [true, true, true, true, true, true])
  assert.deepEqual(['1.2.2', '1.1.9', '0.9.9', '1.2.3-beta'].map(least), [false, false, false, false])
})

test('shownVersion is our own part of our announced version, and the whole of any other version', () => {
  assert.equal(shownVersion('0.18.8+vedette.1.2.3'), '1.2.3')
  assert.equal(shownVersion('0.18.8'), '0.18.8')
  assert.deepEqual([isVedette(ANNOUNCED_VERSION), isVedette('0.18.8'), isVedette(undefined)], [true, false, false])
})

test('isOlder compares numbers, and no other text is older or newer', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['0.9.0', '0.10.0', true],
    ['0.1.0', '0.1.0', false],
    ['0.2.0', '0.1.9', false],
    ['1.0.0-rc', '1.0.0', true],
    ['1.0.0', '1.0.0-rc', false],
    ['1.0.0-rc', '1.0.0-rc', false],
    ['', '0.1.0', false],
    ['0.1.0', 'x', false],
  ]
  for (const [older, newer, expected] of cases) assert.equal(isOlder(older, newer), expected, `${older} ${newer}`)
})
