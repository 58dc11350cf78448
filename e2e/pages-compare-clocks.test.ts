import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'

const HOUR_MS = 3_600_000
/** The second pass of 2 o'clock, which no hour of Monday is compared with. */
const SECOND_PASS_MS = Date.UTC(2026, 9, 25, 1)

/** The changes of the clocks in Berlin, with the hours from each midnight: time, value, and the value of the previous day. */
const changes = [
  {
    name: 'autumn',
    sunday: '2026-10-25',
    sundayFrom: '2026-10-24T22:00Z',
    mondayFrom: '2026-10-25T23:00Z',
    sundayRows: ['00:00 50 % 30 %', '01:00 51 % 31 %', '02:00 52 % 32 %', '02:00 CET 99 % 32 %', '03:00 53 % 33 %', '04:00 54 % 34 %'],
    mondayRows: ['00:00 70 % 50 %', '01:00 71 % 51 %', '02:00 72 % 52 %', '03:00 73 % 53 %', '04:00 74 % 54 %', '05:00 75 % 55 %'],
  },
  {
    name: 'spring',
    sunday: '2026-03-29',
    sundayFrom: '2026-03-28T23:00Z',
    mondayFrom: '2026-03-29T22:00Z',
    sundayRows: ['00:00 50 % 30 %', '01:00 51 % 31 %', '03:00 53 % 33 %', '04:00 54 % 34 %', '05:00 55 % 35 %', '06:00 56 % 36 %'],
    // There was no 2 o'clock on Sunday.
    mondayRows: ['00:00 70 % 50 %', '01:00 71 % 51 %', '02:00 72 % –', '03:00 73 % 53 %', '04:00 74 % 54 %', '05:00 75 % 55 %'],
  },
] as const

const berlin = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'short', hour: 'numeric', hourCycle: 'h23' })

/** The value stored for an hour: 30 for Saturday, 50 for Sunday or 70 for Monday, plus the local hour. */
function busyPercentAt(atMs: number): number {
  const parts = new Map(berlin.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const days: Readonly<Record<string, number>> = { Sat: 30, Sun: 50, Mon: 70 }
  if (atMs === SECOND_PASS_MS) return 99
  return (days[parts.get('weekday') ?? ''] ?? 0) + Number(parts.get('hour'))
}

for (const { name, sunday, sundayFrom, mondayFrom, sundayRows, mondayRows } of changes) {
  describe(`the comparison of systems over the change of the clocks in ${name}`, { timeout: 3 * STEP_MS }, () => {
    const sundayMs = Date.parse(`${sunday}T00:00Z`)
    const nowMs = sundayMs + 72 * HOUR_MS
    let hub: PagesHub
    let admin: Session
    let id = ''

    before(async () => {
      hub = await startPagesHub({
        clock: standingClock(nowMs),
        async prepare(stores) {
          const samples = moments(sundayMs - 26 * HOUR_MS, sundayMs + 48 * HOUR_MS, HOUR_MS).map((atMs) => {
            return { atMs, sample: { ...machineSample, cpu: { busyPercent: busyPercentAt(atMs) } } }
          })
          id = await addPastSystem(stores, { name: 'gauge', port: 1, status: 'paused', samples })
        },
      })
      admin = await hub.createAdmin()
    })

    after(async () => {
      assert.deepEqual(hub.pageErrors, [])
      await hub[Symbol.asyncDispose]()
    })

    /** Rows of the chart's table from a given time, oldest first: time, value, and the value of the previous day. */
    const rowsFrom = async (from: string, hours: number): Promise<readonly string[]> => {
      const fromMs = Date.parse(from)
      await using page = await hub.openPage(admin, { timezoneId: 'Europe/Berlin', locale: 'en-GB' })
      await page.clock.install({ time: nowMs })
      await page.goto(`/compare?systems=${id}&beside=day&from=${fromMs}&to=${fromMs + hours * HOUR_MS - 60_000}`)
      await page.getByRole('main').locator('canvas').waitFor()
      await page.getByRole('button', { name: 'Total CPU Usage: show the numbers' }).click()
      await page.getByRole('table').getByRole('row').nth(1).waitFor()
      const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
      return rows
        .slice(1)
        .toReversed()
        .map((row) => row.replaceAll(/\s+/g, ' ').replace(/^\d+ \w+, /, ''))
    }

    test('each hour of Sunday is compared with the same local hour of Saturday', async () => {
      assert.deepEqual(await rowsFrom(sundayFrom, 6), sundayRows)
    })

    test('each hour of Monday is compared with the same local hour of Sunday', async () => {
      assert.deepEqual(await rowsFrom(mondayFrom, 6), mondayRows)
    })
  })
}
