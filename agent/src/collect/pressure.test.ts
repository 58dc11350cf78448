import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { parsePressure, pressureBetween, pressureCollector } from './pressure.ts'

// The format of kernel 6.18.
const SOME = 'some avg10=19.02 avg60=10.14 avg300=6.59 total=1668343080\n'

for (const [text, expected] of [
  [`${SOME}full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n`, { someUs: 1_668_343_080, fullUs: 7 }],
  [SOME, { someUs: 1_668_343_080 }],
  ['', undefined],
  ['some avg10=0.00', undefined],
  ['some total=-5', undefined],
  ['full total=5', undefined],
] as const) {
  test(`parsePressure: ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(parsePressure(text), expected))
}

for (const [what, before, now, elapsedMs, expected] of [
  ['a tenth of the time', { someUs: 0, fullUs: 0 }, { someUs: 100_000, fullUs: 50_000 }, 1000, { somePercent: 10, fullPercent: 5 }],
  ['at most 100 %', { someUs: 0 }, { someUs: 2_000_000 }, 1000, { somePercent: 100 }],
  ['a counter that went back', { someUs: 5 }, { someUs: 4 }, 1000, undefined],
  ['full without an earlier value', { someUs: 0 }, { someUs: 0, fullUs: 3 }, 1000, { somePercent: 0 }],
] as const) {
  test(`pressureBetween: ${what}`, () => assert.deepEqual(pressureBetween(before, now, elapsedMs), expected))
}

test('pressureBetween stays within 0 and 100 for any two readings', () => {
  const times = fc.record({ someUs: fc.nat(1e12), fullUs: fc.nat(1e12) })
  fc.assert(
    fc.property(times, times, fc.integer({ min: 40, max: 120_000 }), (before, now, elapsedMs) => {
      const shares = Object.values(pressureBetween(before, now, elapsedMs) ?? {})
      assert.ok(shares.every((percent) => percent >= 0 && percent <= 100))
    }),
  )
})

test("bug class 6: pressureCollector measures from each consumer's own last sample", async () => {
  const at = (totalUs: number) => ({
    '/proc/pressure/io': `some total=${totalUs}\nfull total=0\n`,
    '/proc/pressure/cpu': `some total=${totalUs}\nfull total=0\n`,
  })
  const memory = memoryRuntime({ files: at(0), bytes: byteTools })
  const source = procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const collector = pressureCollector(source, { container: undefined, isGuest: false, virtualised: new Set() })
  const tick = async (atMs: number, consumer: number, totalUs: number) => {
    memory.replaceFiles(at(totalUs))
    return (await collector.collect({ atMs, consumer }))?.io?.somePercent
  }
  assert.equal(await tick(0, 60_000, 0), undefined)
  assert.equal(await tick(1000, 1000, 500_000), 50)
  assert.equal(await tick(2000, 1000, 500_000), 0)
  assert.equal(await tick(2039, 1000, 500_000), undefined)
  assert.equal(await tick(10_000, 60_000, 1_000_000), 10)
  assert.deepEqual(collector.report?.(), { found: 'cpu, io' })
})

test('pressureCollector is absent without the files, and "doctor" names the remedy', async () => {
  const source = procSource(memoryRuntime({ files: {}, bytes: byteTools }).runtime, { proc: '/proc', sys: '/sys', etc: '/etc' })
  const collector = pressureCollector(source, { container: undefined, isGuest: false, virtualised: new Set() })
  assert.equal(await collector.collect({ atMs: 0, consumer: 0 }), undefined)
  assert.match(collector.report?.().remedy ?? '', /psi=1/)
})
