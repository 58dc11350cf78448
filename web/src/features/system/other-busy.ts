import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { Column } from '../../format/column.ts'

/** Less than this is what rounding makes of nothing. */
const LEAST_PERCENT = 0.1

/**
 * CPU time of processes with a raised nice value and of interrupts, percent 0–100, which agents tell only within the total; `undefined`
 * where the kinds make up the total or an agent tells none. Waiting for I/O is not busy.
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
