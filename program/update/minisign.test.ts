import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { readPublicKey, SignatureError, verifySignature } from './minisign.ts'

/** Key, content and signature that minisign 0.11 wrote. */
const key = `untrusted comment: minisign public key 6AA8E3378F37AD93
RWSTrTePN+OoatREcubfv3VFFuf7ZRP5Zq/sCxYBwR8VMaxl7fae57I2
`
const content = new TextEncoder().encode('hello\n')
const signature = `untrusted comment: signature from minisign secret key
RUSTrTePN+OoaiGH1PHYl4j2Qa9J+jeeuz/SWg2XMwJoj9025tPbxEhknK+u6f5WMhjQnWOGbrw68tUXsl8O2rMyOGFKmcZOww0=
trusted comment: vedette 0.1.0
HTXDQHib9/fZeWd+vd5ri7EStVhN3WK1YfIjSgp0SkFb7GA4qpNbARHUoSrWO/cSVlvykNfbOK1chPJLIAXUAQ==
`

test('verifySignature returns the trusted comment of a signature that minisign made', () => {
  assert.equal(verifySignature(readPublicKey(key), signature, content), 'vedette 0.1.0')
})

const changes: readonly (readonly [string, RegExp, string, string, string])[] = [
  ['another content', /does not belong/, key, signature, 'hullo\n'],
  ['a changed comment', /comment of the signature was changed/, key, signature.replace('0.1.0', '9.9.9'), 'hello\n'],
  ['no trusted comment', /no trusted comment/, key, signature.replace('trusted comment: vedette', 'comment: vedette'), 'hello\n'],
  ['another key', /another key/, key.replace('RWSTrTeP', 'RWSTrTeQ'), signature, 'hello\n'],
  ['an unhashed signature', /unknown kind/, key, signature.replace('RUST', 'RWST'), 'hello\n'],
  ['a signature that was cut', /is damaged/, key, signature.slice(0, 100), 'hello\n'],
  ['an empty signature', /is damaged/, key, '', 'hello\n'],
]
for (const [what, reason, publicKey, given, text] of changes)
  test(`verifySignature refuses ${what}`, () => {
    const read = readPublicKey(publicKey)
    assert.throws(() => verifySignature(read, given, new TextEncoder().encode(text)), { name: 'SignatureError', message: reason })
  })

test('readPublicKey refuses texts that are no key', () => {
  for (const text of ['', 'RWST', 'untrusted comment: x\nAAAA'])
    assert.throws(() => readPublicKey(text), { name: 'SignatureError', message: /damaged/ })
})

test('verifySignature: a signature with any changed byte is refused with a typed error', () => {
  const read = readPublicKey(key)
  const start = signature.indexOf('\n') + 1
  fc.assert(
    fc.property(fc.integer({ min: start, max: signature.length - 2 }), fc.integer({ min: 33, max: 126 }), (at, code) => {
      const changed = signature.slice(0, at) + String.fromCharCode(code) + signature.slice(at + 1)
      if (changed === signature) return
      assert.throws(() => verifySignature(read, changed, content), SignatureError)
    }),
  )
})

const hasMinisign = spawnSync('minisign', ['-v']).status === 0
test('verifySignature accepts a new signature of the minisign program', { skip: !hasMinisign && 'minisign is not installed' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-minisign-'))
  try {
    const run = (...args: readonly string[]) => assert.equal(spawnSync('minisign', args, { cwd: folder }).status, 0)
    run('-G', '-W', '-p', 'key.pub', '-s', 'key.sec')
    writeFileSync(join(folder, 'file'), content)
    run('-S', '-s', 'key.sec', '-m', 'file', '-t', 'vedette 1.2.3')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    assert.equal(verifySignature(readPublicKey(read('key.pub')), read('file.minisig'), content), 'vedette 1.2.3')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
