import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4'
const DIGITS = '0123456789abcdef'.repeat(4)

const read = (digest: string, url = 'https://hub.example.org') =>
  readConfig(memoryRuntime({ env: { KEY, TOKEN: 'token', HUB_URL: url, HUB_CERT_SHA256: digest }, files: {}, bytes: byteTools }).runtime)

for (const text of [DIGITS, DIGITS.toUpperCase().replaceAll(/(..)(?!$)/g, '$1:'), `sha256 Fingerprint=${DIGITS}`, `SHA256:${DIGITS}`]) {
  test(`readCertificate accepts ${text}`, () => {
    const result = read(text)
    assert.ok(result.kind === 'run' && result.config.webSocket.mode === 'dial', JSON.stringify(result))
    assert.equal(result.config.webSocket.hubs[0]?.certificateSha256, DIGITS)
  })
}

for (const [text, url] of [
  [DIGITS.slice(1), undefined],
  ['nonsense', undefined],
  [DIGITS, 'http://hub.example.org'],
] as const) {
  test(`readCertificate refuses ${text} for ${url ?? 'https'}`, () => {
    const result = read(text, url)
    assert.ok(result.kind === 'refused' && result.problems[0]?.startsWith('HUB_CERT_SHA256: '), JSON.stringify(result))
  })
}
