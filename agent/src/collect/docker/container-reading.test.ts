import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedContainer, namedContainers } from './list.ts'
import { sameRun } from './container-reading.ts'
import { containerReading } from './stats.ts'

const listed = (Status: string) =>
  namedContainers([{ Id: '0123456789abcdef', Names: ['/web'], Image: 'web:1', Status }]).map(listedContainer)[0]

for (const [status, readBeforeMs, isSameRun] of [
  ['Up Less than a second', 0, false],
  ['Up 1 second', 999, true],
  ['Up 5 seconds', 4999, true],
  ['Up 5 seconds', 5000, false],
  ['Up 59 seconds (health: starting)', 60_000, false],
  ['Up About a minute', 60_000, true],
  ['Up 2 days', 60_000, true],
] as const) {
  test(`sameRun: a reading ${readBeforeMs} ms before "${status}" ${isSameRun ? 'counts' : 'is of another run'}`, () => {
    const one = listed(status)
    assert.ok(one !== undefined)
    const reading = containerReading([], 100_000 - readBeforeMs, false)
    assert.equal(sameRun(one, reading, 100_000), isSameRun ? reading : undefined)
  })
}
