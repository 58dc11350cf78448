import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quietUntilMs, quietWindowOf, type QuietWindow } from './quiet-hours.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const daily = (start: string, end: string, system = ''): QuietWindow => ({
  system,
  repeats: 'daily',
  startMs: at(`2024-06-01T${start}`),
  endMs: at(`2024-06-02T${end}`),
})
const once = (start: string, end: string, system = ''): QuietWindow => ({ system, repeats: 'never', startMs: at(start), endMs: at(end) })

for (const [what, windows, now, until] of [
  ['no window', [], '2026-01-10T12:00', undefined],
  ['within a day', [daily('12:00', '13:00')], '2026-01-10T12:00', '2026-01-10T13:00'],
  ['its end is outside', [daily('12:00', '13:00')], '2026-01-10T13:00', undefined],
  ['before it', [daily('12:00', '13:00')], '2026-01-10T11:59:59.999', undefined],
  ['over midnight, in the evening', [daily('22:00', '06:30')], '2026-01-10T23:00', '2026-01-11T06:30'],
  ['over midnight, in the morning', [daily('22:00', '06:30')], '2026-01-10T06:29', '2026-01-10T06:30'],
  ['seconds do not count', [daily('12:00:59', '13:00:59')], '2026-01-10T12:00', '2026-01-10T13:00'],
  ['equal ends are none', [daily('12:00', '12:00')], '2026-01-10T12:00', undefined],
  ['another system', [daily('00:00', '23:59', 'other')], '2026-01-10T12:00', undefined],
  ['this system', [daily('11:00', '12:30', 'web')], '2026-01-10T12:00', '2026-01-10T12:30'],
  ['once', [once('2026-01-01T00:00', '2026-02-01T00:00')], '2026-01-10T12:00', '2026-02-01T00:00'],
  ['once, over', [once('2026-01-01T00:00', '2026-01-10T12:00')], '2026-01-10T12:00', undefined],
  ['one behind the other', [daily('12:00', '13:00'), once('2026-01-10T13:00', '2026-01-10T15:00')], '2026-01-10T12:30', '2026-01-10T15:00'],
  ['one in the other', [daily('10:00', '20:00'), once('2026-01-10T11:00', '2026-01-10T13:00')], '2026-01-10T12:00', '2026-01-10T20:00'],
] as const)
  test(`quietUntilMs: ${what}`, () => assert.equal(quietUntilMs(windows, 'web', at(now)), until === undefined ? undefined : at(until)))

test('quietUntilMs: who is never to be told is looked at again', () => {
  const untilMs = quietUntilMs([daily('00:00', '12:00'), daily('12:00', '00:00')], 'web', at('2026-01-10T12:00'))
  assert.ok(untilMs !== undefined && untilMs > at('2026-01-12T12:00') && untilMs < at('2026-02-10T12:00'))
})

test('quietUntilMs: at its answer it is not quiet, and just before it is', () => {
  const time = fc.integer({ min: 0, max: 1439 }).map((minute) => minute * 60_000)
  const window = fc.record({ startMs: time, endMs: time }).map((one): QuietWindow => ({ system: '', repeats: 'daily', ...one }))
  fc.assert(
    fc.property(window, fc.integer({ min: 0, max: 4_000_000_000_000 }), (one, nowMs) => {
      const untilMs = quietUntilMs([one], 'web', nowMs)
      if (untilMs === undefined) return
      assert.ok(untilMs > nowMs && untilMs - nowMs <= 86_400_000)
      assert.equal(quietUntilMs([one], 'web', untilMs), undefined)
      assert.equal(quietUntilMs([one], 'web', untilMs - 1), untilMs)
    }),
  )
})

test('quietWindowOf: a record without times is none', () => {
  const record = { id: 'q', user: 'u', system: '', type: 'daily', start: '2026-01-10 12:00:00.000Z', end: '2026-01-10 13:00:00.000Z' }
  assert.deepEqual(quietWindowOf(record), { system: '', repeats: 'daily', startMs: at('2026-01-10T12:00'), endMs: at('2026-01-10T13:00') })
  assert.equal(quietWindowOf({ ...record, end: '' }), undefined)
})
