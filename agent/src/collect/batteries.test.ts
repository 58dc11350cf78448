import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { procSource } from '../source/proc-source.ts'
import { batteriesCollector, primaryBattery, readBatteries, type Battery } from './batteries.ts'

type Supply = Readonly<Record<string, string>>

const sourceOf = (supplies: Readonly<Record<string, Supply>>) => {
  const files = Object.entries(supplies).flatMap(([folder, supply]) =>
    Object.entries({ type: 'Battery\n', ...supply }).map(([file, text]) => [`/sys/class/power_supply/${folder}/${file}`, text] as const),
  )
  const memory = memoryRuntime({ files: Object.fromEntries(files), bytes: byteTools })
  return { memory, source: procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }) }
}
const namesOf = (supplies: Readonly<Record<string, Supply>>) => readBatteries(sourceOf(supplies).source).batteries.map(({ name }) => name)

for (const [supply, percent, state] of [
  [{ capacity: '85\n', status: 'Discharging\n' }, 85, 'discharging'],
  [{ capacity: '104\n', status: 'Full\n' }, 100, 'full'],
  [{ capacity: '0', status: 'Charging' }, 0, 'charging'],
  [{ capacity: '80', status: 'Not charging' }, 80, 'idle'],
  [{ capacity: '80' }, 80, 'unknown'],
  [{ capacity: '80', status: '\u001B[31m' }, 80, 'unknown'],
] as const) {
  test(`bug class 24: readBatteries: ${JSON.stringify(supply)} is ${percent} %, ${state}`, () => {
    const [battery] = readBatteries(sourceOf({ BAT0: supply }).source).batteries
    assert.deepEqual([battery?.percent, battery?.state], [percent, state])
  })
}

test('readBatteries skips a battery that cannot be read, keeps the others, and ignores the mains supply', () => {
  const { batteries, skipped } = readBatteries(
    sourceOf({
      AC: { type: 'Mains', capacity: '1' },
      BAT0: {},
      BAT1: { capacity: 'x' },
      BAT2: { capacity: '5', present: '0' },
      BAT3: { capacity: '9' },
    }).source,
  )
  assert.deepEqual(
    batteries.map(({ name }) => name),
    ['BAT3'],
  )
  assert.deepEqual(skipped, [
    { what: 'BAT0', why: 'tells no capacity' },
    { what: 'BAT1', why: 'its capacity is not a number' },
    { what: 'BAT2', why: 'the bay is empty' },
  ])
})

test('bug class 25: readBatteries uses the model or else the folder, removes control characters, and numbers equal names', () => {
  assert.deepEqual(
    namesOf({
      BAT0: { capacity: '1', model_name: 'X' },
      BAT1: { capacity: '1', model: 'X' },
      BAT2: { capacity: '1' },
      BAT3: { capacity: '1', model_name: '\uFFFD\u0000\n' },
      BAT4: { capacity: '1', model_name: 'A\uFFFD\u001B[1mB' },
    }),
    ['X', 'X (2)', 'BAT2', 'Battery 4', 'AB'],
  )
})

const battery = (name: string, more: Partial<Battery>): Battery => ({
  name,
  folder: name,
  percent: 50,
  state: 'unknown',
  fullCharge: undefined,
  isDevice: false,
  ...more,
})

for (const [what, batteries, expected] of [
  ['the largest', [battery('a', { fullCharge: 1 }), battery('b', { fullCharge: 2 })], 'b'],
  ['a battery that reports its full charge', [battery('a', {}), battery('b', { fullCharge: 1, isDevice: true })], 'b'],
  ['a battery of the machine itself', [battery('a', { isDevice: true }), battery('b', {})], 'b'],
  ['the first by name', [battery('b', {}), battery('a', {})], 'a'],
  ['none without batteries', [], undefined],
] as const) {
  test(`primaryBattery: ${what}`, () => assert.equal(primaryBattery(batteries)?.name, expected))
}

test('batteriesCollector reads the files again after ten seconds', async () => {
  const { memory, source } = sourceOf({ BAT0: { capacity: '50', status: 'Charging' } })
  const collector = batteriesCollector(source)
  const tick = (atMs: number) => collector.collect({ atMs, consumer: 1000 })
  assert.deepEqual(await tick(0), { battery: { percent: 50, state: 'charging' }, batteries: { BAT0: 50 } })
  memory.replaceFiles({})
  assert.deepEqual((await tick(9999))?.batteries, { BAT0: 50 })
  assert.equal(await tick(10_000), undefined)
})
