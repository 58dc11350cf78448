import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import { createLoop } from '../runtime/deadline.ts'
import { procSource } from '../source/proc-source.ts'
import { slowSysReader } from '../source/slow-reader.ts'
import { fansCollector, findFans, parseRpm } from './fans.ts'

const roots = { proc: '/proc', sys: '/sys', etc: '/etc' }
const sourceOf = (files: Readonly<Record<string, string>>) => procSource(memoryRuntime({ files, bytes: byteTools }).runtime, roots)

function collectorOf(files: Readonly<Record<string, string>>) {
  const { runtime } = memoryRuntime({ files, bytes: byteTools })
  return fansCollector(procSource(runtime, roots), slowSysReader(createLoop(runtime), '/sys'))
}

for (const [text, rpm] of [
  ['1205\n', 1205],
  ['0\n', 0],
  ['abc', undefined],
  ['-1', undefined],
  ['12.5', undefined],
  ['65535', undefined],
  ['70000', undefined],
  [undefined, undefined],
] as const) {
  test(`parseRpm: ${JSON.stringify(text)} is ${rpm}`, () => assert.equal(parseRpm(text), rpm))
}

const hwmon = '/sys/class/hwmon'

test('findFans names fans by chip and label, or chip and input; finds old drivers one folder down; numbers equal names', () => {
  const files = {
    [`${hwmon}/hwmon0/name`]: 'nct6775\n',
    [`${hwmon}/hwmon0/fan1_input`]: '',
    [`${hwmon}/hwmon0/fan2_input`]: '',
    [`${hwmon}/hwmon0/fan2_label`]: '  Pump Fan \n',
    [`${hwmon}/hwmon1/name`]: 'applesmc\n',
    [`${hwmon}/hwmon1/device/fan1_input`]: '',
    [`${hwmon}/hwmon1/device/fan1_label`]: 'Exhaust  \n',
    [`${hwmon}/hwmon2/name`]: 'nct6775\n',
    [`${hwmon}/hwmon2/fan1_input`]: '',
    [`${hwmon}/hwmon3/name`]: '\uFFFD\u0001\n',
    [`${hwmon}/hwmon3/fan1_input`]: '',
  }
  assert.deepEqual(
    findFans(sourceOf(files)).map(({ name }) => name),
    ['nct6775_fan1', 'nct6775_Pump Fan', 'applesmc_Exhaust', 'nct6775_fan1 (2)', 'hwmon3_fan1'],
  )
})

test('fansCollector omits a fan without a speed and gives the reason; without fans it is empty', async () => {
  const collector = collectorOf({
    [`${hwmon}/hwmon0/name`]: 'a',
    [`${hwmon}/hwmon0/fan1_input`]: '900',
    [`${hwmon}/hwmon0/fan2_input`]: 'N/A',
  })
  assert.deepEqual(await collector.collect({ atMs: 0, consumer: 0 }), { a_fan1: 900 })
  assert.deepEqual(collector.report?.(), { found: 'a_fan1, a_fan2', skipped: [{ what: 'a_fan2', why: 'tells no speed of a fan' }] })
  assert.equal(await collectorOf({}).collect({ atMs: 0, consumer: 0 }), undefined)
})
