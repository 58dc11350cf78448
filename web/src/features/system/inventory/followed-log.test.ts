import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { followLog, matchesIn, type FollowedLog } from './followed-log.ts'

const textsOf = ({ lines }: FollowedLog): readonly string[] => lines.map(({ text }) => text)
const follow = (...reads: readonly string[]): FollowedLog => {
  const log = reads.reduce<FollowedLog | undefined>((before, text) => followLog(before, text), undefined)
  assert.ok(log !== undefined)
  return log
}

test('followLog appends what is new, and keeps the log while nothing is', () => {
  const first = follow('a\nb\n')
  assert.equal(followLog(first, 'a\nb\n'), first)
  assert.equal(followLog(first, ''), first, 'an engine that returns nothing takes nothing away')
  const next = followLog(first, 'b\nc\nd\n')
  assert.deepEqual(next.lines, [
    { id: 0, text: 'a' },
    { id: 1, text: 'b' },
    { id: 2, text: 'c' },
    { id: 3, text: 'd' },
  ])
  assert.equal(next.gaps.size, 0)
})

test('followLog completes a line that had no end', () => {
  const open = follow('a\nprog')
  assert.deepEqual(textsOf(open), ['a', 'prog'])
  assert.equal(followLog(open, 'a\nprog'), open)
  assert.equal(followLog(open, ''), open)
  const complete = followLog(open, 'a\nprogress\nb\n')
  assert.deepEqual(textsOf(complete), ['a', 'progress', 'b'])
  assert.equal(complete.gaps.size, 0)
})

test('followLog notes a gap where no line of a read is known', () => {
  const log = follow('a\nb\n', 'x\ny\n')
  assert.deepEqual(textsOf(log), ['a', 'b', 'x', 'y'])
  assert.deepEqual([...log.gaps], [2])
})

test('followLog of the last lines of a growing log is the log, however it is read', () => {
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

test('matchesIn finds every place, in any case, and takes no character for a pattern', () => {
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

test('matchesIn takes any text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      fc.pre(!text.includes('\n'))
      const { lines } = follow(`${text}\n`)
      const [match] = matchesIn(lines, text)
      assert.ok(match !== undefined && match.start === 0 && match.end === text.length)
    }),
  )
})
