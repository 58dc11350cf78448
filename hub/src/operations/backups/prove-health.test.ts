import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpPeer } from '../../../test/http-peer.ts'
import { HealthUnproved, proveHealth } from './prove-health.ts'

test('proveHealth accepts a hub that responds with 200 and rejects an error response and a refused connection', async () => {
  await using encrypted = await httpPeer(() => ({ status: 200 }), { isTls: true })
  await proveHealth(`https://127.0.0.1:${encrypted.port}`)
  let port = 0
  {
    await using well = await httpPeer(({ url }) => ({ status: url === '/base/api/health' ? 200 : 404 }))
    await proveHealth(`http://127.0.0.1:${well.port}`, '/base')
    await assert.rejects(
      proveHealth(`http://127.0.0.1:${well.port}`),
      new HealthUnproved('Cannot use the restored backup: /api/health answers 404'),
    )
    port = well.port
  }
  await assert.rejects(proveHealth(`http://127.0.0.1:${port}`), HealthUnproved)
})
