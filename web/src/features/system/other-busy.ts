import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { Column } from '../../format/column.ts'

/**
 * Minimum percentage of CPU time, 0.1, for the line "other" (busy, but neither user, system nor steal). A chart with lower values only has
 * no such line, because they are rounding errors.
 */
const LEAST_PERCENT = 0.1

/**
 * Returns an array with the CPU time in percent that is busy but neither user, system nor steal (nice and interrupts), for each time.
 * `undefined` when it never reaches 0.1 %. I/O wait is not busy.
 */
export function otherBusyPercent({ series }: SeriesFrame): Column | undefined {
  const user = series.get('cpu.userPercent')
  const [system, steal] = [series.get('cpu.systemPercent'), series.get('cpu.stealPercent')]
  const values = series.get('cpu.busyPercent')?.map((busy, index) => {
    const known = user?.[index] ?? undefined
    return busy === null || known === undefined ? null : Math.max(0, busy - known - (system?.[index] ?? 0) - (steal?.[index] ?? 0))
  })
  return values?.some((value) => value !== null && value >= LEAST_PERCENT) === true ? values : undefined
}
