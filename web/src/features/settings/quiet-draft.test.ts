import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietDraft, readQuietDraft } from './quiet-draft.ts'

const NOW_MS = Date.UTC(2026, 6, 10, 12)
const zone = 'Europe/Berlin'
const draft = quietDraft(NOW_MS, zone)

test('readQuietDraft means the times of day of the chosen zone', () => {
  assert.deepEqual(readQuietDraft(draft, NOW_MS, zone), {
    window: { type: 'daily', systemId: undefined, startMs: Date.UTC(2026, 6, 10, 20), endMs: Date.UTC(2026, 6, 10, 5) },
  })
  assert.deepEqual(readQuietDraft({ ...draft, type: 'one-time', systemId: 'a' }, NOW_MS, zone), {
    window: { type: 'one-time', systemId: 'a', startMs: NOW_MS, endMs: NOW_MS + 3_600_000 },
  })
})

for (const [what, wrong] of [
  ['nothing typed', { ...draft, daily: { start: '', end: '07:00' } }],
  ['the same time twice', { ...draft, daily: { start: '07:00', end: '07:00' } }],
  [
    'an end before its beginning',
    { ...draft, type: 'one-time' as const, 'one-time': { start: '2026-07-10T12:00', end: '2026-07-10T11:00' } },
  ],
] as const)
  test(`readQuietDraft refuses ${what}`, () => assert.deepEqual(readQuietDraft(wrong, NOW_MS, zone), { problem: 'end' }))
