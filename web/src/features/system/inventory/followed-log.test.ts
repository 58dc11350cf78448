import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { followLog, lastSecondOf, matchesIn, type FollowedLog } from './followed-log.ts'

const textsOf = ({ lines }: FollowedLog): readonly string[] => lines.map(({ text }) => text)
const follow = (...reads: readonly string[]): FollowedLog => {
  const log = reads.reduce<FollowedLog | undefined>((before, text) => followLog(before, text), undefined)
  assert.ok(log !== undefined)
  return log
}

test('followLog appends new lines, and returns the same log if there are none', () => {
  const first = follow('a\nb\n')
  assert.equal(followLog(first, 'a\nb\n'), first)
  assert.equal(followLog(first, ''), first, 'an engine that returns nothing takes nothing away')
  const next = followLog(first, 'b\nc\nd\n')
  assert.deepEqual(
    next.lines.map(({ id, text }) => `${id} ${text}`),
    ['0 a', '1 b', '2 c', '3 d'],
  )
  assert.equal(next.gaps.size, 0)
})

test('followLog completes a line that was incomplete', () => {
  const open = follow('a\nprog')
  assert.deepEqual(textsOf(open), ['a', 'prog'])
  assert.equal(followLog(open, 'a\nprog'), open)
  assert.equal(followLog(open, ''), open)
  const complete = followLog(open, 'a\nprogress\nb\n')
  assert.deepEqual(textsOf(complete), ['a', 'progress', 'b'])
  assert.equal(complete.gaps.size, 0)
})

test('followLog marks a gap if a read shares no line with the log', () => {
  const log = follow('a\nb\n', 'x\ny\n')
  assert.deepEqual(textsOf(log), ['a', 'b', 'x', 'y'])
  assert.deepEqual([...log.gaps], [2])
})

test('followLog of the last lines of a growing log equals the whole log, however it is read', () => {
  const growth = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 })
  fc.assert(
    fc.property(growth, (steps) => {
      let count = 3
      let log = followLog(undefined, tail(count))
      for (const step of steps) {
        count += step
        log = followLog(log, tail(count))
      }
      assert.deepEqual(
        textsOf(log),
        Array.from({ length: count }, (_, index) => `line ${index}`),
      )
      assert.equal(log.gaps.size, 0)
    }),
  )
})

/** The last ten lines of a log. */
const tail = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`)
    .slice(-10)
    .join('')

const at = (second: number, nanoseconds: number, text: string): string =>
  `2026-03-10T12:00:0${second}.${String(nanoseconds).padStart(9, '0')}Z ${text}\n`

test('followLog joins lines by their times, even if all lines have the same text', () => {
  const first = follow(at(1, 1, 'tick') + at(1, 5, 'tick'))
  assert.deepEqual(textsOf(first), ['tick', 'tick'])
  assert.equal(lastSecondOf(first), Date.UTC(2026, 2, 10, 12, 0, 1) / 1000)
  assert.equal(followLog(first, at(1, 1, 'tick') + at(1, 5, 'tick')), first)
  const next = followLog(first, at(1, 5, 'tick') + at(3, 0, 'tick'))
  assert.deepEqual(textsOf(next), ['tick', 'tick', 'tick'])
  assert.equal(next.gaps.size, 0)
  assert.deepEqual([...followLog(next, at(9, 0, 'tick')).gaps], [3])
})

test('followLog of lines without times, or with only some times, keeps the lines unchanged', () => {
  const mixed = `${at(1, 1, 'a')}b\n`
  assert.deepEqual(textsOf(follow(mixed)), mixed.trimEnd().split('\n'))
  assert.equal(lastSecondOf(follow(mixed)), 0)
  assert.equal(lastSecondOf(undefined), 0)
})

test('lastSecondOf is the second of the last complete line', () => {
  const open = follow(at(1, 0, 'a') + at(4, 0, 'open').trimEnd())
  assert.equal(lastSecondOf(open), Date.UTC(2026, 2, 10, 12, 0, 1) / 1000)
  const complete = followLog(open, at(1, 0, 'a') + at(4, 0, 'opened'))
  assert.deepEqual(textsOf(complete), ['a', 'opened'])
  assert.equal(complete.gaps.size, 0)
  assert.equal(lastSecondOf(follow('2026-03-10T14:00:01.000000000+02:00 a\n')), Date.UTC(2026, 2, 10, 12, 0, 1) / 1000)
})

test('matchesIn finds every match, ignores case, and treats no character as a pattern', () => {
  const { lines } = follow('GET /a.b?c-d [1]\nget get\nİ get\n')
  assert.deepEqual(
    matchesIn(lines, 'get').map(({ line, start, end }) => [line.id, start, end]),
    [
      [0, 0, 3],
      [1, 0, 3],
      [1, 4, 7],
      [2, 2, 5],
    ],
  )
  for (const text of ['a.b?c-d [1]', '/', '-']) assert.equal(matchesIn(lines, text).length, 1, text)
  assert.equal(matchesIn(lines, '.*').length, 0)
  assert.equal(matchesIn(lines, '').length, 0)
})

test('matchesIn accepts any text without patterns', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      fc.pre(!text.includes('\n'))
      const { lines } = follow(`${text}\n`)
      const [match] = matchesIn(lines, text)
      assert.ok(match !== undefined && match.start === 0 && match.end === text.length)
    }),
  )
})
