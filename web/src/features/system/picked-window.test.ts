import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fieldText } from '../../format/date-field.ts'
import { windowDraftOf, draftOfShown, pickedPresets, presetWindow, windowOfDraft } from './picked-window.ts'

const MINUTE_MS = 60_000
const now = new Date(2026, 0, 31, 9, 30, 20).getTime()
const before = fieldText(now - 60 * MINUTE_MS)

test('windowOfDraft reads the window that windowDraftOf wrote, to the minute', () => {
  const at = fc.integer({ min: Date.UTC(2000, 0, 1) / MINUTE_MS, max: Math.floor(now / MINUTE_MS) }).map((minute) => minute * MINUTE_MS)
  fc.assert(
    fc.property(at, at, (a, b) => {
      fc.pre(Math.abs(a - b) > 120 * MINUTE_MS)
      const window = { fromMs: Math.min(a, b), toMs: Math.max(a, b) }
      const read = windowOfDraft(windowDraftOf(window), now)
      assert.ok('window' in read)
      // When the clocks are set back, one hour has two times with the same text.
      assert.ok(
        Math.abs(read.window.fromMs - window.fromMs) <= 60 * MINUTE_MS && Math.abs(read.window.toMs - window.toMs) <= 60 * MINUTE_MS,
      )
    }),
  )
})

for (const [what, draft, problems] of [
  ['two empty fields', { from: '', to: '' }, { from: 'required', to: 'required' }],
  ['no end', { from: before, to: '' }, { to: 'required' }],
  ['equal start and end', { from: before, to: before }, { to: 'notAfter' }],
  ['an end before the start', { from: fieldText(now), to: before }, { to: 'notAfter' }],
  ['an end in the future', { from: before, to: fieldText(now + 5 * MINUTE_MS) }, { to: 'future' }],
  [
    'a window in the future',
    { from: fieldText(now + 5 * MINUTE_MS), to: fieldText(now + 9 * MINUTE_MS) },
    { from: 'future', to: 'future' },
  ],
] as const) {
  test(`windowOfDraft refuses ${what}`, () => assert.deepEqual(windowOfDraft(draft, now), { problems }))
}

test('windowOfDraft accepts the current minute as end', () =>
  assert.ok('window' in windowOfDraft({ from: before, to: fieldText(now) }, now)))

test('presetWindow starts at midnight, and is a valid window', () => {
  for (const preset of pickedPresets) {
    const window = presetWindow(preset, now)
    assert.equal(new Date(window.fromMs).getHours(), 0)
    assert.ok('window' in windowOfDraft(windowDraftOf(window), now), preset)
  }
  assert.equal(presetWindow('yesterday', now).toMs, presetWindow('today', now).fromMs)
})

test('draftOfShown of charts that extend into the future is valid, even in the minute of the first sample', () => {
  for (const fromMs of [now - 10_000, now - 3 * MINUTE_MS]) {
    const read = windowOfDraft(draftOfShown({ fromMs, toMs: fromMs + 5 * MINUTE_MS }, now), now)
    assert.ok('window' in read, JSON.stringify(read))
  }
  assert.deepEqual(draftOfShown({ fromMs: 0, toMs: MINUTE_MS }, now), windowDraftOf({ fromMs: 0, toMs: MINUTE_MS }))
})
