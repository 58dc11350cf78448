import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { gzipping } from './gzip.ts'

test('gzipping gives each of many texts at once and after another its own bytes', async () => {
  const gzip = gzipping()
  const texts = [0, 1, 4096, 200_000, 1_000_000].flatMap((size) => [
    [Buffer.alloc(size, 'a text that repeats itself ')],
    [randomBytes(size), Buffer.from('and'), randomBytes(size)],
  ])
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      texts.map(async (pieces) => {
        assert.deepEqual(gunzipSync(await gzip(pieces)), Buffer.concat(pieces))
      }),
    )
  }
})
