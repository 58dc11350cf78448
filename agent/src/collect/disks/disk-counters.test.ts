import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../../protocol/test/any-character.ts'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { recordedFiles } from '../../fixtures/recorded-machine.ts'
import { memoryRuntime } from '../../runtime/memory-runtime.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { procSource } from '../../source/proc-source.ts'
import { diskCounterReader, parseDiskStats } from './disk-counters.ts'

test('parseDiskStats reads the counters of the recorded disk and omits devices without any I/O', () => {
  assert.deepEqual(parseDiskStats(recordedFiles('machine-1', 't0')['/proc/diskstats'] ?? '').devices, [
    {
      name: 'vda',
      number: '254:0',
      reads: 137_677,
      readBytes: 7_031_010 * 512,
      readMs: 85_865,
      writes: 65_269,
      writtenBytes: 18_059_008 * 512,
      writeMs: 88_823,
      busyMs: 22_156,
      weightedMs: 177_366,
    },
  ])
})

for (const [text, problem] of [
  ['8 0 sda 1 2 3\n', 'Cannot parse "/proc/diskstats": line 1 has 6 fields, expected at least 14'],
  ['8 0 sda 1 2 3 4 5 6 7 8 0 9 x\n', 'Cannot parse "/proc/diskstats": line 1, field 14 is not a counter'],
] as const) {
  test(`parseDiskStats explains the error in "${text.trim()}" and keeps the other lines`, () => {
    const { devices, problems } = parseDiskStats(`${text}8 1 sda1 1 2 3 4 5 6 7 8 0 9 10\n`)
    assert.deepEqual([devices.map(({ name }) => name), problems], [['sda1'], [problem]])
  })
}

test('diskCounterReader reads the file once per moment', () => {
  const memory = memoryRuntime({ files: { '/proc/diskstats': '8 0 sda 1 2 3 4 5 6 7 8 0 9 10\n' }, bytes: byteTools })
  const counters = diskCounterReader(procSource(memory.runtime, { proc: '/proc', sys: '/sys', etc: '/etc' }))
  const first = counters(0)
  memory.replaceFiles({})
  assert.equal(counters(0), first)
  assert.equal(counters(1), undefined)
})

test('bug class 24: parseDiskStats of any text returns counters of 0 or more and never throws', () => {
  const word = fc.oneof(
    fc.nat().map(String),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    inheritedName,
    fc.constantFrom('-1', '1e9', '0x10', 'NaN', ''),
  )
  const text = fc
    .array(
      fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
      { maxLength: 5 },
    )
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, (any) => {
      for (const { name: _name, number: _number, ...counters } of parseDiskStats(any).devices) {
        assert.ok(Object.values(counters).every((value) => Number.isFinite(value) && value >= 0))
      }
    }),
  )
})
