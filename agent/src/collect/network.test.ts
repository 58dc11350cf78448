import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../protocol/test/any-character.ts'
import { inheritedNames } from '../../../protocol/test/hostile-names.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { parseNameFilter } from '../text/glob.ts'
import { networkCollector, networkRates, parseNetDev, type NetworkReading } from './network.ts'

const HEADING = 'Inter-|   Receive  |  Transmit\n face |bytes packets |bytes packets\n'
const line = (name: string, received: number, sent: number) => `${name}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0\n`

test('parseNetDev accepts a counter directly after the colon, and treats an alias as a separate interface', () => {
  const text = `${HEADING}  eth0:100 1 0 0 0 0 0 0 200 2 0 0 0 0 0 0\neth0:1: 5 0 0 0 0 0 0 0 6 0 0 0 0 0 0 0\n`
  assert.deepEqual(
    [...parseNetDev(text).interfaces],
    [
      ['eth0', { receivedBytes: 100, sentBytes: 200 }],
      ['eth0:1', { receivedBytes: 5, sentBytes: 6 }],
    ],
  )
})

test('bug class 25: parseNetDev removes control characters from names', () => {
  assert.deepEqual([...parseNetDev(HEADING + line('e\u001B[31mth\u0007', 1, 2)).interfaces.keys()], ['eth'])
})

for (const wrong of ['eth0 100 200', 'eth0: 100', 'eth0: x 1 0 0 0 0 0 0 200']) {
  test(`parseNetDev explains the error in "${wrong}" and keeps the other lines`, () => {
    const { interfaces, problems } = parseNetDev(`${HEADING}${wrong}\n${line('eth1', 1, 2)}`)
    assert.deepEqual([[...interfaces.keys()], problems.length], [['eth1'], 1])
  })
}

const reading = (takenAtMs: number, interfaces: Readonly<Record<string, readonly [sent: number, received: number]>>): NetworkReading => ({
  takenAtMs,
  interfaces: new Map(Object.entries(interfaces).map(([name, [sentBytes, receivedBytes]]) => [name, { sentBytes, receivedBytes }])),
})
const anySpeed = () => 10_000_000_000

test('networkRates computes bytes per second of each interface and of all', () => {
  const rates = networkRates(reading(0, { eth0: [0, 0], wlan0: [0, 0] }), reading(1000, { eth0: [10, 20], wlan0: [1, 2] }), anySpeed)
  assert.deepEqual([rates?.sentBytesPerSecond, rates?.receivedBytesPerSecond], [11, 22])
  assert.deepEqual(Object.keys(rates?.interfaces ?? {}), ['eth0', 'wlan0'])
})

test('bug class 5: restarted counters of one interface count from 0 and affect neither the other rates nor the sum', () => {
  const rates = networkRates(
    reading(0, { eth0: [1000, 1000], wlan0: [0, 0] }),
    reading(1000, { eth0: [10, 2000], wlan0: [1, 2] }),
    anySpeed,
  )
  assert.deepEqual([rates?.sentBytesPerSecond, rates?.receivedBytesPerSecond], [11, 1002])
  assert.equal(rates?.interfaces?.['eth0']?.sentBytesPerSecond, 10)
})

test('bug class 5: an interface with more bytes than its link speed allows has no rate, and the sum is unknown', () => {
  const before = reading(0, { eth0: [0, 0], eth1: [0, 0] })
  const gigabit = (name: string) => (name === 'eth0' ? 250_000_000 : 10_000_000_000)
  const rates = networkRates(before, reading(1000, { eth0: [4_294_967_295, 0], eth1: [5, 5] }), gigabit)
  assert.deepEqual([rates?.sentBytesPerSecond, Object.keys(rates?.interfaces ?? {})], [undefined, ['eth1']])
  assert.equal(networkRates(before, reading(1000, { eth1: [9_000_000_000, 5] }), gigabit)?.sentBytesPerSecond, 9_000_000_000)
})

test('networkRates is empty without an earlier reading, without elapsed time, and for new interfaces only', () => {
  const now = reading(1000, { eth0: [10, 20] })
  assert.equal(networkRates(undefined, now, anySpeed), undefined)
  assert.equal(networkRates(reading(961, { eth0: [0, 0] }), now, anySpeed), undefined)
  assert.equal(networkRates(reading(0, { eth1: [0, 0] }), now, anySpeed), undefined)
})

test('networkRates returns plausible rates of at least 0, and their sum', () => {
  const counters = fc.dictionary(fc.constantFrom('eth0', 'eth1', 'wlan0', ...inheritedNames), fc.tuple(fc.nat(1e9), fc.nat(1e9)))
  fc.assert(
    fc.property(counters, counters, fc.integer({ min: 40, max: 120_000 }), (earlier, later, elapsedMs) => {
      const rates = networkRates(reading(0, earlier), reading(elapsedMs, later), () => 5_000_000)
      const each = Object.values(rates?.interfaces ?? {})
      const all = each.flatMap(({ sentBytesPerSecond, receivedBytesPerSecond }) => [sentBytesPerSecond, receivedBytesPerSecond])
      assert.ok(all.every((rate) => rate >= 0 && rate <= 5_000_000))
      const { sentBytesPerSecond } = rates ?? {}
      if (sentBytesPerSecond !== undefined) {
        const sum = each.reduce((total, one) => total + one.sentBytesPerSecond, 0)
        assert.ok(Math.abs(sum - sentBytesPerSecond) < 1e-3)
      }
    }),
  )
})

const netDev = (...interfaces: readonly (readonly [name: string, bytes: number])[]) =>
  HEADING + interfaces.map(([name, bytes]) => line(name, bytes, bytes)).join('')

test('networkCollector never reports 4 GiB in a second for an adapter of 1 Gbit/s, and keeps separate times per consumer', async () => {
  const sysfs = { '/sys/class/net/eth0/device/vendor': '0x8086', '/sys/class/net/eth0/speed': '1000\n' }
  const memory = memoryRuntime({ files: { ...sysfs, '/proc/net/dev': netDev(['eth0', 1000]) }, bytes: byteTools })
  const collector = networkCollector(procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }), undefined)
  const tick = (atMs: number, consumer: number, bytes: number) => {
    memory.replaceFiles({ ...sysfs, '/proc/net/dev': netDev(['eth0', bytes]) })
    return collector.collect({ atMs, consumer })
  }
  await tick(0, 60_000, 1000)
  assert.equal((await tick(1000, 1000, 101_000))?.sentBytesPerSecond, 100_000)
  assert.equal((await tick(2000, 1000, 4_294_967_296))?.sentBytesPerSecond, undefined)
  assert.equal((await tick(60_000, 60_000, 6_001_000))?.sentBytesPerSecond, 100_000)
})

/** Total bytes per second of a machine on which each of these interfaces carried 1000 bytes in a second. */
async function sumOf(names: readonly string[], sysfs: Readonly<Record<string, string>>, broken = '', nics?: string) {
  const at = (bytes: number, more = '') => ({ ...sysfs, '/proc/net/dev': netDev(...names.map((name) => [name, bytes] as const)) + more })
  const memory = memoryRuntime({ files: at(1000), bytes: byteTools })
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const collector = networkCollector(source, nics === undefined ? undefined : parseNameFilter(nics))
  await collector.collect({ atMs: 0, consumer: 0 })
  memory.replaceFiles(at(2000, broken))
  const sample = await collector.collect({ atMs: 1000, consumer: 0 })
  return [sample?.sentBytesPerSecond, Object.keys(sample?.interfaces ?? {})]
}

const adapter = { '/sys/class/net/eth0/device/vendor': '0x8086\n' }
for (const [what, name, sysfs] of [
  ['WireGuard', 'wg0', { '/sys/class/net/wg0/uevent': 'DEVTYPE=wireguard\nINTERFACE=wg0\n' }],
  ['a VPN in user space', 'tun0', { '/sys/class/net/tun0/tun_flags': '0x1001\n' }],
  ['GRE', 'gre1', { '/sys/class/net/gre1/type': '778\n' }],
  ['VXLAN', 'flannel.1', { '/sys/class/net/flannel.1/uevent': 'DEVTYPE=vxlan\n' }],
] as const) {
  test(`networkCollector counts the packets of ${what} once, at the interface where they leave the machine`, async () => {
    assert.deepEqual(await sumOf(['eth0', name], { ...adapter, ...sysfs }), [1000, ['eth0', name]])
    // The interface is included when no other interface carries the traffic, or when the configuration names it.
    assert.deepEqual(await sumOf([name], sysfs), [1000, [name]])
    assert.deepEqual(await sumOf(['eth0', name], { ...adapter, ...sysfs }, '', `eth0,${name}`), [2000, ['eth0', name]])
  })
}

test('networkCollector reports no sum while a counter of the sum cannot be read', async () => {
  assert.deepEqual(await sumOf(['eth0'], adapter, 'eth1: -5 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n'), [undefined, ['eth0']])
  assert.deepEqual(await sumOf(['eth0'], adapter, 'veth1: -5 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n'), [1000, ['eth0']])
  const tunnel = { ...adapter, '/sys/class/net/tun0/tun_flags': '0x1001\n' }
  assert.deepEqual(await sumOf(['eth0'], tunnel, 'tun0: -5 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n'), [1000, ['eth0']])
})

test('networkCollector reports the rate of an adapter of 400 Gbit/s', async () => {
  const files = { ...adapter, '/sys/class/net/eth0/speed': '400000\n' }
  const memory = memoryRuntime({ files: { ...files, '/proc/net/dev': netDev(['eth0', 1]) }, bytes: byteTools })
  const collector = networkCollector(procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }), undefined)
  await collector.collect({ atMs: 0, consumer: 0 })
  memory.replaceFiles({ ...files, '/proc/net/dev': netDev(['eth0', 40_000_000_001]) })
  assert.equal((await collector.collect({ atMs: 1000, consumer: 0 }))?.sentBytesPerSecond, 40_000_000_000)
})

test("networkCollector with the host's /proc reports the host's network, not the container's", async () => {
  const files = { '/host/proc/net/dev': netDev(['eth0', 5]), '/host/proc/1/net/dev': netDev(['eno1', 7]) }
  const interfacesOf = async (all: Readonly<Record<string, string>>) => {
    const source = procSource(memoryRuntime({ files: all, bytes: byteTools }).runtime, { proc: '/host/proc', sys: '/sys', etc: '/etc' })
    const collector = networkCollector(source, undefined)
    await collector.collect({ atMs: 0, consumer: 0 })
    return Object.keys((await collector.collect({ atMs: 1000, consumer: 0 }))?.interfaces ?? {})
  }
  assert.deepEqual(await interfacesOf(files), ['eno1'])
  assert.deepEqual(await interfacesOf({ '/host/proc/net/dev': netDev(['eth0', 5]) }), ['eth0'])
})

test('bug class 24: parseNetDev of any text returns counters of 0 or more and never throws', () => {
  const word = fc.oneof(
    fc.nat().map(String),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.constantFrom('-1', '1e9', 'eth0:', ':', ''),
  )
  const text = fc
    .array(
      fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
      { maxLength: 6 },
    )
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, (any) => {
      for (const { sentBytes, receivedBytes } of parseNetDev(any).interfaces.values()) {
        assert.ok(Number.isFinite(sentBytes) && sentBytes >= 0 && Number.isFinite(receivedBytes) && receivedBytes >= 0)
      }
    }),
  )
})
