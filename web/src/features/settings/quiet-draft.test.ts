import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietDraft as draft, readQuietDraft, shownEnds } from './quiet-draft.ts'

const NOW_MS = Date.UTC(2026, 6, 10, 12)
const zone = 'Europe/Berlin'

test('readQuietDraft returns times of day for a daily window, and UTC times for a one-time window', () => {
  assert.deepEqual(readQuietDraft(draft, NOW_MS, zone), {
    window: { type: 'daily', systemId: undefined, start: '22:00', end: '07:00' },
  })
  assert.deepEqual(readQuietDraft({ ...draft, type: 'one-time', systemId: 'a' }, NOW_MS, zone), {
    window: { type: 'one-time', systemId: 'a', start: '2026-07-10T12:00:00.000Z', end: '2026-07-10T13:00:00.000Z' },
  })
})

test('shownEnds converts default values to another time zone, but keeps typed values', () => {
  const typed = { ...draft, type: 'one-time' as const, 'one-time': { end: '2026-07-11T09:00' } }
  assert.deepEqual(shownEnds(typed, NOW_MS, zone), { start: '2026-07-10T14:00', end: '2026-07-11T09:00' })
  assert.deepEqual(shownEnds(typed, NOW_MS, 'Asia/Tokyo'), { start: '2026-07-10T21:00', end: '2026-07-11T09:00' })
})

for (const [what, wrong] of [
  ['empty fields', { ...draft, daily: { start: '', end: '07:00' } }],
  ['the same time twice', { ...draft, daily: { start: '07:00', end: '07:00' } }],
  ['no date', { ...draft, type: 'one-time' as const, 'one-time': { start: '' } }],
  [
    'an end before its beginning',
    { ...draft, type: 'one-time' as const, 'one-time': { start: '2026-07-10T12:00', end: '2026-07-10T11:00' } },
  ],
] as const)
  test(`readQuietDraft refuses ${what}`, () => assert.deepEqual(readQuietDraft(wrong, NOW_MS, zone), { problem: 'end' }))
