import { lazy, useState, type ComponentType } from 'react'
import type { TimeChartProps } from '../../chart/time-chart.tsx'

// It comes while the data does: there is no page of a system without charts.
const timeChart = import('../../chart/time-chart.tsx')
let TimeChart: ComponentType<TimeChartProps> = lazy(async () => ({ default: (await timeChart).TimeChart }))
timeChart
  .then((loaded) => {
    // A loaded chart is drawn without waiting: React shows awaited parts late.
    TimeChart = loaded.TimeChart
    // While the page waits: what has come by now goes first.
    whenIdle(loaded.drawUnseen)
  })
  .catch(() => undefined)

/** Some browsers do not tell of idle time: there it is the next task. */
function whenIdle(job: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(job)
  else setTimeout(job)
}

/** A chart, as soon as what draws it has come. */
export function AwaitedChart(props: TimeChartProps) {
  // A chart that stands stays the one it is.
  const [Chart] = useState(() => TimeChart)
  return <Chart {...props} />
}
