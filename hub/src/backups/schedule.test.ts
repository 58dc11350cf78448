import assert from 'node:assert/strict'
import { mock, test, type TestContext } from 'node:test'
import { silentLog } from '../../test/databases.ts'
import { isSchedule, nextAfter, scheduleBackups } from './schedule.ts'

for (const [cron, is] of [
  ['0 4 * * *', true],
  ['*/15 * * * 1-5', true],
  ['0 0 29 2 *', true],
  ['', false],
  ['now', false],
  ['61 * * * *', false],
  ['0 0 4 * * *', false],
  ['0 0 31 2 *', false],
] as const)
  test(`isSchedule: "${cron}" ${is ? 'comes true' : 'is none'}`, () => assert.equal(isSchedule(cron), is))

test('nextAfter is in UTC, and after the moment', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  assert.equal(nextAfter('0 4 * * *', at('2026-03-29T03:59:59')), at('2026-03-29T04:00:00'))
  assert.equal(nextAfter('0 4 * * *', at('2026-03-29T04:00:00')), at('2026-03-30T04:00:00'))
})

/** A hub whose clock the test moves. */
function scheduled(context: TestContext, cron: string) {
  mock.timers.enable({ apis: ['setInterval'] })
  context.after(() => mock.timers.reset())
  let nowMs = Date.parse('2026-11-21T03:59:00Z')
  const did: string[] = []
  const stop = scheduleBackups({
    backups: {
      make: async ({ by }) => {
        did.push(`made by ${by}`)
        return 'name.zip'
      },
      keep: async (most) => void did.push(`kept ${most}`),
    },
    load: async () => ({ cron, cronMaxKeep: 3 }),
    clock: { now: () => nowMs },
    log: silentLog,
  })
  context.after(stop)
  const pass = async (ms: number) => {
    nowMs += ms
    mock.timers.tick(15_000)
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { did, pass }
}

test('scheduleBackups makes one when it is due, once, and keeps so many', async (context) => {
  const { did, pass } = scheduled(context, '0 4 * * *')
  await pass(30_000)
  assert.deepEqual(did, [])
  await pass(30_000)
  assert.deepEqual(did, ['made by schedule', 'kept 3'])
  await pass(15_000)
  await pass(3_600_000)
  assert.equal(did.length, 2)
})

test('scheduleBackups makes one for all that fell due while the machine slept', async (context) => {
  const { did, pass } = scheduled(context, '0 * * * *')
  await pass(30 * 3_600_000)
  await pass(15_000)
  assert.deepEqual(did, ['made by schedule', 'kept 3'])
})

test('scheduleBackups makes none without a schedule', async (context) => {
  const { did, pass } = scheduled(context, '')
  await pass(30 * 3_600_000)
  assert.deepEqual(did, [])
})
