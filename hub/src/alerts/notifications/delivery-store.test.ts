import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { channelOf, openJob, sealJob, type DeliveryJob, deliveryDelayMs } from './delivery-store.ts'

const secrets = secretBox(Buffer.alloc(32, 1))
const jobs: readonly DeliveryJob[] = [
  { target: { way: 'address', address: 'discord://secret@1' }, reached: ['a'] },
  { target: { way: 'mail', to: 'a@example.com' }, reached: [], own: { title: 't', body: 'b' } },
]

for (const job of jobs)
  test(`openJob returns the sealed job, ${job.target.way}`, () => {
    const sealed = sealJob(secrets, job)
    assert.ok(!sealed.includes('secret') && !sealed.includes('example'))
    assert.deepEqual(openJob(secrets, sealed), job)
  })

for (const damaged of [
  '',
  'v1.AAAA',
  sealJob(secretBox(Buffer.alloc(32, 2)), { target: { way: 'mail', to: 'x' }, reached: [] }),
  secrets.seal('deliveries.job', '{"target":{"way":"else"},"reached":[]}'),
  secrets.seal('deliveries.job', '7'),
])
  test(`openJob returns undefined for ${damaged.slice(0, 12)}`, () => assert.equal(openJob(secrets, damaged), undefined))

test('channelOf: each person and address has its own channel, which does not reveal the address', () => {
  const target = { way: 'address', address: 'discord://secret@1' } as const
  const channel = channelOf(secrets, 'p', target)
  assert.equal(channelOf(secrets, 'p', target), channel)
  assert.notEqual(channelOf(secrets, 'q', target), channel)
  assert.notEqual(channelOf(secrets, 'p', { way: 'mail', to: 'discord://secret@1' }), channel)
  assert.match(channel.slice(0, 8), /^[\w-]{8}$/)
})

for (const [attempts, asked, minutes] of [
  [1, 0, 1],
  [2, 0, 2],
  [3, 0, 5],
  [5, 0, 20],
  [6, 0, 30],
  [99, 0, 30],
  [1, 600_000, 10],
  [6, 600_000, 30],
  [1, 1e15, 1440],
] as const)
  test(`deliveryDelayMs: ${attempts} attempts, ${asked} ms requested by the server`, () =>
    assert.equal(deliveryDelayMs(attempts, asked), minutes * 60_000))

test('openJob keeps fields of newer hubs when the job is sealed again', () => {
  const newer = '{"target":{"way":"address","address":"ntfy://t","zone":"x"},"reached":[],"urgency":2}'
  const job = openJob(secrets, secrets.seal('deliveries.job', newer))
  assert.ok(job !== undefined)
  const again = sealJob(secrets, { ...job, reached: ['a'] })
  assert.deepEqual(JSON.parse(secrets.open('deliveries.job', again)), { ...JSON.parse(newer), reached: ['a'] })
})
