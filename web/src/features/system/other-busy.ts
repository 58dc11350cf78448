import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { Column } from '../../format/column.ts'

/**
 * Percentage of CPU, 0.1. If the busy time outside user, system and steal never reaches this, it counts as rounding error and is not shown.
 */
const LEAST_PERCENT = 0.1

/**
 * Returns an array with the percentage of CPU time that is busy but neither user, system nor steal (nice, interrupts). `undefined` when
 * that stays below 0.1 %. I/O wait is not busy.
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
