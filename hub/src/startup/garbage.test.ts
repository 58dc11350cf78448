import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { askedMuch, leastLately, mayDouble, roomyPercent } from './garbage.ts'

const MEBIBYTE = 2 ** 20

it('lets each half of the young generation grow to 4 MiB, where there is to be room to 16', () => {
  assert.deepEqual(
    [1, 2, 4, 8, 16].map((mebibytes) => [mayDouble(mebibytes * MEBIBYTE, false), mayDouble(mebibytes * MEBIBYTE, true)]),
    [
      [true, true],
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ],
  )
})

it('takes ten requests between two looks for much, and for 40 looks after that', () => {
  let requests = 500
  const look = askedMuch(() => requests)
  const after = (more: number): boolean => {
    requests += more
    return look()
  }
  assert.equal(after(9), false)
  assert.equal(after(10), true)
  assert.deepEqual(
    Array.from({ length: 39 }, () => after(9)),
    Array.from({ length: 39 }, () => true),
  )
  assert.equal(after(9), false)
  assert.equal(after(0), false)
  assert.equal(after(100), true)
})

it('lets a small heap grow by 40 MiB while people ask much, and a large one by no more than it may anyway', () => {
  assert.deepEqual(
    [20, 40, 80, 100, 400].map((mebibytes) => roomyPercent(mebibytes * MEBIBYTE)),
    [200, 100, 50, 40, 40],
  )
})

it('takes for lasting what was left the last time that garbage was gone, and follows a heap that has grown', () => {
  const look = leastLately()
  const collected = Array.from({ length: 30 }, (_, at) => look((20 + (at % 10) * 4) * MEBIBYTE) / MEBIBYTE)
  assert.deepEqual([collected[0], collected[10], collected[20]], [20, 20, 20])
  assert.ok(Math.max(...collected) < 21, String(Math.max(...collected)))
  const grown = Array.from({ length: 200 }, () => look(40 * MEBIBYTE) / MEBIBYTE)
  assert.equal(grown.at(-1), 40)
})

/**
 * A process of its own, since it is all of one that is set. What lives for a while fills the space: of a small one, of a roomy one, of a small one again.
 * Only the least of what is read in a while tells what a half holds: holes in it count as more.
 */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { youngGeneration } from '${new URL('garbage.ts', import.meta.url).href}'
  let isRoomy = false
  const look = youngGeneration()
  function half() {
    const { space_used_size: used, space_available_size: free } = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    return used + free
  }
  function fill(rounds) {
    let kept = []
    let least = Infinity
    for (let round = 0; round < rounds; round++) {
      look(isRoomy)
      // Less than any young generation holds, so that it is looked at between any two collections.
      for (let at = 0; at < 1000; at++) kept.push({ at, list: [at] })
      if (round % 300 === 0) kept = []
      least = Math.min(least, half())
    }
    return least
  }
  fill(2000)
  const small = fill(2000)
  isRoomy = true
  fill(2000)
  const roomy = fill(2000)
  isRoomy = false
  fill(2000)
  const after = fill(2000)
  console.log(JSON.stringify({ small, roomy, after }))
`

it('holds V8 to that, and gives back what only a roomy one may take', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--max-semi-space-size=16', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.notEqual(stdout, '', stderr)
  const reached: unknown = JSON.parse(stdout)
  assert.ok(typeof reached === 'object' && reached !== null && 'small' in reached && 'roomy' in reached && 'after' in reached)
  assert.deepEqual(
    [reached.small, reached.roomy, reached.after].map((bytes) => Math.round(Number(bytes) / MEBIBYTE)),
    [4, 16, 4],
    stdout,
  )
})
