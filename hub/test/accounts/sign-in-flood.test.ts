import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawConnection } from '../raw-connection.ts'
import { servedHub } from '../served-hub.ts'

/** Sends one wrong password per connection, each for its own account, and returns the responses. */
async function guess(port: number, count: number): Promise<readonly string[]> {
  const all = await Promise.all(Array.from({ length: count }, (_, at) => rawConnection(port, `127.0.${1 + (at >> 7)}.${1 + (at & 127)}`)))
  for (const [at, one] of all.entries()) {
    const body = JSON.stringify({ identity: `nobody-${at}@example.com`, password: 'a wrong password' })
    const head = `POST /api/collections/users/auth-with-password HTTP/1.1\r\nHost: hub\r\nContent-Type: application/json\r\n`
    one.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  }
  return Promise.all(all.map((one) => one.reads(/\r\n\r\n[^]*\}$/)))
}

test('64 simultaneous sign-ins wait in a queue; of 300 some get 429 with Retry-After', { timeout: 300_000 }, async () => {
  await using hub = await servedHub()
  const few = await guess(hub.port, 64)
  assert.equal(few.filter((text) => text.startsWith('HTTP/1.1 400 ')).length, 64)
  const many = await guess(hub.port, 300)
  const refused = many.filter((text) => /^HTTP\/1\.1 429 [^]*retry-after: 2\r\n/i.test(text))
  assert.ok(refused.length > 0)
  assert.equal(many.filter((text) => text.startsWith('HTTP/1.1 400 ')).length, many.length - refused.length)
  const { status } = await fetch(`http://127.0.0.1:${hub.port}/api/health`)
  assert.equal(status, 200)
})
