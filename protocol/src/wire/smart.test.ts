import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { asRecorded, fromHex, readRecording } from '../../test/recorded.ts'
import { decodeCbor } from '../cbor/decode.ts'
import type { DiskHealth } from '../metrics/disk-health.ts'
import { decodeEnvelope } from './envelope.ts'
import { drivePoints, unitOf, valuesOf } from '../metrics/series.ts'
import { decodeSmartDevices, encodeSmartDevices } from './smart.ts'

type Recorded = { readonly samples: readonly { readonly label: string; readonly stdout_hex: string }[] }

for (const { label, stdout_hex } of readRecording<Recorded>('agent/machine-2/expected-head.json').samples) {
  const item = decodeCbor(fromHex(stdout_hex), nodeUtf8)
  const reply = item.ok ? decodeEnvelope(item.value, 'smart') : undefined
  if (reply?.ok !== true || reply.reply.kind !== 'smart') continue
  const recorded = reply.reply.devices
  test(`decodeSmartDevices and encodeSmartDevices preserve the drives of a recorded reply: ${label}`, () => {
    const { devices, problems } = decodeSmartDevices(recorded)
    assert.deepEqual(problems, [])
    assert.equal(devices.length, recorded.size)
    assert.deepEqual(asRecorded(encodeSmartDevices(devices)), asRecorded(recorded))
  })
  test(`drivePoints returns wear and temperature of the drives of a recorded reply, each with its unit: ${label}`, () => {
    const values = valuesOf(drivePoints(decodeSmartDevices(recorded).devices))
    assert.deepEqual(
      Object.entries(values).map(([key, value]) => [key, value, unitOf(key)]),
      [
        ['drive.WD-TEST000001.celsius', 34, 'celsius'],
        ['drive.S64TEST0002.celsius', 38, 'celsius'],
        ['drive.S64TEST0002.wearPercent', 3, 'percent'],
      ],
    )
  })
}

test('bug class 24: encodeSmartDevices clamps values to the width of their field', () => {
  const drive: DiskHealth = { id: 'a', status: 'PASSED', celsius: 300, attributes: [{ name: 'x', raw: -5, value: 70_000 }] }
  const { devices } = decodeSmartDevices(encodeSmartDevices([drive]))
  assert.deepEqual(devices, [{ id: 'a', status: 'PASSED', celsius: 255, attributes: [{ name: 'x', raw: 0, value: 65_535 }] }])
})

test('decodeSmartDevices omits invalid drives and keeps the others', () => {
  const { devices, problems } = decodeSmartDevices(
    new Map<string, Map<number, number> | null>([
      ['bad', null],
      ['good', new Map([[8, 41]])],
    ]),
  )
  assert.deepEqual(devices, [{ id: 'good', status: 'UNKNOWN', celsius: 41 }])
  assert.equal(problems.length, 1)
})

const attribute = fc.record(
  {
    id: fc.nat(255),
    name: anyName,
    value: fc.nat(255),
    worst: fc.nat(255),
    threshold: fc.nat(255),
    raw: fc.nat(),
    rawText: fc.string(),
    failed: fc.string(),
  },
  { requiredKeys: ['name', 'raw'], noNullPrototype: true },
)
const drive: fc.Arbitrary<DiskHealth> = fc.record(
  {
    id: fc.string(),
    model: fc.string(),
    serial: fc.string(),
    firmware: fc.string(),
    capacityBytes: fc.maxSafeNat(),
    status: fc.constantFrom('PASSED' as const, 'WARNING' as const, 'FAILED' as const, 'UNKNOWN' as const),
    device: anyName,
    type: fc.string(),
    celsius: fc.nat(255),
    attributes: fc.array(attribute),
    ageMs: fc.nat(),
  },
  { requiredKeys: ['id', 'status'], noNullPrototype: true },
)

test('encodeSmartDevices and decodeSmartDevices round-trip any drives', () => {
  fc.assert(
    fc.property(fc.uniqueArray(drive, { selector: ({ id }) => id }), (drives) => {
      assert.deepEqual(decodeSmartDevices(encodeSmartDevices(drives)), { devices: drives, problems: [] })
    }),
  )
})

test('decodeSmartDevices reports the path of an invalid value, and keeps attributes with a name', () => {
  const attributes = [
    new Map([[0, 5]]),
    new Map<number, string | number>([
      [1, 'Temperature'],
      [0, 194],
    ]),
  ]
  const { devices, problems } = decodeSmartDevices(
    new Map<string | number, Map<number, string | typeof attributes> | null>([
      [7, new Map()],
      ['bad', null],
      [
        'good',
        new Map<number, string | typeof attributes>([
          [5, 'FINE'],
          [9, attributes],
        ]),
      ],
    ]),
  )
  assert.deepEqual(devices, [{ id: 'good', status: 'UNKNOWN', attributes: [{ id: 194, name: 'Temperature', raw: 0 }] }])
  assert.deepEqual(problems, [
    { path: 'smart.7', expected: 'a map under a text' },
    { path: 'smart.bad', expected: 'a map under a text' },
    { path: 'smart.good.9.0', expected: 'a usable map' },
  ])
})

test('encodeSmartDevices omits NaN and infinities, and rounds numbers', () => {
  const { devices } = decodeSmartDevices(
    encodeSmartDevices([
      { id: 'a', status: 'FAILED', celsius: Number.NaN, capacityBytes: 1.6, attributes: [{ name: 'x', raw: Number.NaN, worst: -1 }] },
    ]),
  )
  assert.deepEqual(devices, [{ id: 'a', status: 'FAILED', capacityBytes: 2, attributes: [{ name: 'x', raw: 0, worst: 0 }] }])
})
