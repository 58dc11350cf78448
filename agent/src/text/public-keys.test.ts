import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { toHex } from '../../../protocol/test/recorded.ts'
import { ed25519Bytes, parsePublicKeys } from './public-keys.ts'

const LINE = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'

for (const [name, text, keys, problems] of [
  ['a key', LINE, 1, 0],
  ['a key with options and a comment', `from="10.0.0.0/8" ${LINE} hub@example.com`, 1, 0],
  ['comments and empty lines', `# hubs\r\n\r\n${LINE}\r\n`, 1, 0],
  ['a truncated key', LINE.slice(0, 40), 0, 1],
  ['a key without its last bytes', LINE.slice(0, -4), 0, 1],
  ['a wrong type before the key', LINE.replace('ed25519', 'rsa'), 0, 1],
  ['a word', 'key', 0, 1],
  ['nothing', '', 0, 0],
] as const) {
  test(`parsePublicKeys: ${name}`, () => {
    const parsed = parsePublicKeys(text)
    assert.deepEqual([parsed.keys.length, parsed.problems.length], [keys, problems])
  })
}

test('parsePublicKeys names a key type that no host supports', () => {
  const { keys, problems } = parsePublicKeys('ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjE= hub')
  assert.deepEqual([keys, problems], [[], ['line 1 is a key of the kind nistp521, which is not supported; use ssh-ed25519']])
})

test('parsePublicKeys names the wrong line', () => {
  assert.match(parsePublicKeys(`${LINE}\nnonsense`).problems.join('\n'), /^line 2 /)
})

test('ed25519Bytes returns the 32 bytes after the key type', () => {
  const [key] = parsePublicKeys(LINE).keys
  assert.ok(key !== undefined)
  assert.equal(toHex(ed25519Bytes(key) ?? new Uint8Array()), '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8')
})

test('parsePublicKeys accepts any text without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => void parsePublicKeys(`ssh-ed25519 ${text}`)))
})
