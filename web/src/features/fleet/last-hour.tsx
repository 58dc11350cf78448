import { useQuery } from '@tanstack/react-query'
import type { System } from '../../api/system-record.ts'
import { lastHourQuery } from '../../api/last-hour.ts'
import { cn } from '../../ui/cn.ts'
import { sparklinePath } from './sparkline-model.ts'
import { useSettled } from './use-settled.ts'

const SETTLE_MS = 400
const WIDTH = 84
const HEIGHT = 22

/** Props of the small line chart (sparkline) of CPU usage in the list of systems. `faded` greys it; `className` sets its size. */
type LastHourProps = { system: System; faded: boolean; className: string }

/**
 * React component: sparkline of a system's CPU usage in the last hour; `faded` greys it. The data are fetched after the row has been
 * mounted for 400 ms, so fast scrolling causes no requests; never for a paused system.
 */
export const LastHour = (props: LastHourProps) => (useSettled(SETTLE_MS) ? <Line {...props} /> : null)

function Line({ system, faded, className }: LastHourProps) {
  const { data } = useQuery({ ...lastHourQuery(system.id), enabled: system.status !== 'paused' })
  const path = sparklinePath(data ?? [], WIDTH, HEIGHT)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn('block', faded ? 'text-faint' : 'text-series-1', className)}
      aria-hidden="true"
    >
      <path d={path.area} fill="currentColor" opacity="0.14" />
      <path d={path.line} fill="none" stroke="currentColor" strokeWidth="1.25" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
