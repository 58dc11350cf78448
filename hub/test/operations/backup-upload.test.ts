import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPeerLimits } from '../../src/platform/http/peer-limits.ts'
import { get, rawConnection, type RawConnection } from '../raw-connection.ts'
import { servedHub } from '../served-hub.ts'

type ServedHub = Awaited<ReturnType<typeof servedHub>>

const piece = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const END = `${piece('\r\n--edge--\r\n')}0\r\n\r\n`

/** An upload whose file has begun. It is sent by an admin. */
async function upload(hub: ServedHub, field: string, name: string): Promise<RawConnection> {
  const one = await rawConnection(hub.port)
  one.write(
    `POST /api/backups/upload HTTP/1.1\r\nHost: hub\r\nAuthorization: ${await hub.tokenOf('super')}\r\nTransfer-Encoding: chunked\r\n` +
      'Content-Type: multipart/form-data; boundary=edge\r\n\r\n' +
      piece(`--edge\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\nPK`),
  )
  return one
}

async function isServed(hub: ServedHub): Promise<void> {
  const one = await rawConnection(hub.port)
  one.write(get('/api/health', { connection: 'close' }))
  assert.match(await one.ended, /^HTTP\/1\.1 200 /)
}

test('a stalled upload gets 408 and leaves no file, while a slow upload is received', { timeout: 300_000 }, async ({ signal }) => {
  assert.equal(standardPeerLimits.uploadStalledMs, 60_000)
  await using hub = await servedHub({ limits: { uploadStalledMs: 2000 } })
  const slow = await upload(hub, 'file', 'slow.zip')
  const stalled = await upload(hub, 'file', 'stalled.zip')
  // When the stalled upload ends, the slow one has taken longer than the time limit.
  while (stalled.isOpen() && !signal.aborted) {
    slow.write(piece('PK'))
    await isServed(hub)
  }
  assert.match(await stalled.ended, /^HTTP\/1\.1 408 [^]*"status":408/)
  assert.equal(slow.text(), '')
  slow.write(END)
  assert.match(await slow.reads(/"status":\d+/), /^HTTP\/1\.1 400 [^]*Cannot read the backup: it is damaged/)
  assert.ok('directory' in hub.test.at)
  assert.deepEqual(readdirSync(join(hub.test.at.directory, 'backups'), { recursive: true }), ['.unfinished'])
})

test('a form that stalls before its file gets 408, too', { timeout: 300_000 }, async () => {
  await using hub = await servedHub({ limits: { uploadStalledMs: 100 } })
  const one = await upload(hub, 'other', 'one.zip')
  assert.match(await one.ended, /^HTTP\/1\.1 408 /)
})

test('a client that disconnects during an upload causes no error, whatever the name of the file', { timeout: 300_000 }, async () => {
  await using hub = await servedHub()
  for (const [field, name] of [
    ['other', 'one.zip'],
    ['file', 'one.zip'],
    ['file', 'Two Words'],
  ] as const) {
    const one = await upload(hub, field, name)
    await isServed(hub)
    one.socket.resetAndDestroy()
    await isServed(hub)
  }
})
