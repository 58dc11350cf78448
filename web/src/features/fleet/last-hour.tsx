import { useQuery } from '@tanstack/react-query'
import type { System } from '../../api/system-record.ts'
import { lastHourQuery } from '../../api/last-hour.ts'
import { cn } from '../../ui/cn.ts'
import { sparklinePath } from './sparkline-model.ts'

const WIDTH = 84
const HEIGHT = 22
/** CPU over the last hour, as a shape: the number stands in the column before it. */
export function LastHour({ system, faded }: { system: System; faded: boolean }) {
  const { data } = useQuery({ ...lastHourQuery(system.id), enabled: system.status !== 'paused' })
  const path = sparklinePath(data ?? [], WIDTH, HEIGHT)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn('block h-5.5 w-21', faded ? 'text-faint' : 'text-series-1')}
      aria-hidden="true"
    >
      <path d={path.area} fill="currentColor" opacity="0.14" />
      <path d={path.line} fill="none" stroke="currentColor" strokeWidth="1.25" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
