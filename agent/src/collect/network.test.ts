import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countsAsPublic, networkRates, parseNetDev, type NetworkReading } from './network.ts'

const HEADING = 'Inter-|   Receive  |  Transmit\n face |bytes packets |bytes packets\n'

test('parseNetDev: a counter may touch the colon, an alias has one of its own', () => {
  const text = `${HEADING}  eth0:100 1 0 0 0 0 0 0 200 2 0 0 0 0 0 0\neth0:1: 5 0 0 0 0 0 0 0 6 0 0 0 0 0 0 0\n`
  assert.deepEqual(
    [...parseNetDev(text)],
    [
      ['eth0', { receivedBytes: 100, sentBytes: 200 }],
      ['eth0:1', { receivedBytes: 5, sentBytes: 6 }],
    ],
  )
})

for (const line of ['eth0 100 200', 'eth0: 100', 'eth0: x 1 0 0 0 0 0 0 200']) {
  test(`parseNetDev refuses "${line}"`, () => assert.throws(() => parseNetDev(HEADING + line), SyntaxError))
}

const used = { sentBytes: 1, receivedBytes: 1 }

for (const [name, counters, filter, expected] of [
  ['eth0', used, undefined, true],
  ['lo', used, undefined, false],
  ['docker0', used, undefined, false],
  ['br-2c0f0719f44e', used, undefined, false],
  ['veth3e80fa7', used, undefined, false],
  ['eth1', { sentBytes: 0, receivedBytes: 9 }, undefined, false],
  ['docker0', used, { mode: 'only', patterns: ['docker*'] }, true],
  ['eth0', used, { mode: 'only', patterns: ['docker*'] }, false],
  ['eth0', used, { mode: 'except', patterns: ['eth*'] }, false],
  ['wlan0', used, { mode: 'except', patterns: ['eth*'] }, true],
  ['docker0', used, { mode: 'except', patterns: ['eth*'] }, false],
] as const) {
  test(`countsAsPublic: ${name} ${expected ? 'counts' : 'does not count'} ${filter === undefined ? '' : `with ${filter.mode} ${filter.patterns.join()}`}`, () => {
    assert.equal(countsAsPublic(name, counters, filter), expected)
  })
}

const reading = (takenAtMs: number, interfaces: Readonly<Record<string, readonly [sent: number, received: number]>>): NetworkReading => ({
  takenAtMs,
  interfaces: new Map(Object.entries(interfaces).map(([name, [sentBytes, receivedBytes]]) => [name, { sentBytes, receivedBytes }])),
})

test('networkRates: bytes per second of each and of all', () => {
  const rates = networkRates(reading(0, { eth0: [0, 0], wlan0: [0, 0] }), reading(1000, { eth0: [10, 20], wlan0: [1, 2] }))
  assert.deepEqual([rates?.sentBytesPerSecond, rates?.receivedBytesPerSecond], [11, 22])
  assert.deepEqual(Object.keys(rates?.interfaces ?? {}), ['eth0', 'wlan0'])
})

test('networkRates: counters that started again count from 0, and the sum is not known', () => {
  const rates = networkRates(reading(0, { eth0: [1000, 1000], wlan0: [0, 0] }), reading(1000, { eth0: [10, 2000], wlan0: [1, 2] }))
  assert.deepEqual([rates?.sentBytesPerSecond, rates?.interfaces?.['eth0']?.sentBytesPerSecond], [undefined, 10])
})

test('networkRates: what no link can do is left out, and the sum is not known', () => {
  const rates = networkRates(reading(0, { eth0: [0, 0], eth1: [0, 0] }), reading(1000, { eth0: [1e12, 0], eth1: [5, 5] }))
  assert.deepEqual([rates?.sentBytesPerSecond, Object.keys(rates?.interfaces ?? {})], [undefined, ['eth1']])
})

test('networkRates: nothing without an earlier reading, without time, or of new interfaces only', () => {
  const now = reading(1000, { eth0: [10, 20] })
  assert.equal(networkRates(undefined, now), undefined)
  assert.equal(networkRates(reading(950, { eth0: [0, 0] }), now), undefined)
  assert.equal(networkRates(reading(0, { eth1: [0, 0] }), now), undefined)
})

test('networkRates: every rate is at least 0, and the sum is that of its interfaces', () => {
  const counters = fc.dictionary(fc.constantFrom('eth0', 'eth1', 'wlan0'), fc.tuple(fc.nat(1e9), fc.nat(1e9)))
  fc.assert(
    fc.property(counters, counters, fc.integer({ min: 100, max: 120_000 }), (earlier, later, elapsedMs) => {
      const rates = networkRates(reading(0, earlier), reading(elapsedMs, later))
      const each = Object.values(rates?.interfaces ?? {})
      assert.ok(each.every(({ sentBytesPerSecond, receivedBytesPerSecond }) => sentBytesPerSecond >= 0 && receivedBytesPerSecond >= 0))
      const { sentBytesPerSecond } = rates ?? {}
      if (sentBytesPerSecond !== undefined) {
        const sum = each.reduce((total, one) => total + one.sentBytesPerSecond, 0)
        assert.ok(Math.abs(sum - sentBytesPerSecond) < 1e-3)
      }
    }),
  )
})
