import { useDeferredValue, useMemo, useState } from 'react'
import type { ChartWindow } from '../../chart/chart-drawing.ts'
import { marksOn, type ChartMark } from '../../chart/chart-marks.ts'
import { createCrosshair, type Crosshair } from '../../chart/crosshair.ts'
import type { TimeChartProps } from '../../chart/time-chart.tsx'
import { lastIndexOf } from '../../chart/tooltip-model.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { seriesCounts } from '../../preferences/settings.ts'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Optional } from '../../ui/optional.tsx'
import * as words from '../../words/messages.js'
import { chartSummary } from './chart-summary.ts'
import type { CardDrawing, Source } from './chart-spec.ts'
import { Headline } from './headline.tsx'
import { Legend } from './legend.tsx'
import { topSeries } from './top-series.ts'

const TopSeriesControl = onDemand(async () => (await import('./top-series-control.tsx')).TopSeriesControl)
const ChartTable = onDemand(async () => (await import('./chart-table.tsx')).ChartTable)
const CsvButton = onDemand(async () => (await import('./csv-button.tsx')).CsvButton)

const TimeChart = onDemand(async () => {
  const loaded = await import('../../chart/time-chart.tsx')
  // Runs when the browser is idle, so that charts with data are drawn first.
  whenIdle(loaded.warmUpCharts)
  return loaded.TimeChart
})
// Starts to load the chart code while the data load, because every system page has charts.
TimeChart.preload()

/** Calls `job` once when the browser is idle (`requestIdleCallback`) or, where the browser lacks that function, in the next task. */
function whenIdle(job: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(job)
  else setTimeout(job)
}

type ChartCardProps = {
  /** Name of the system that the chart shows, for the file name of a CSV export. */
  system: string
  title: string
  description: string
  /** Id of the chart's data source, such as `memory`; `undefined` for a chart that compares several systems. */
  source: Source | undefined
  isWide: boolean
  /** True for the main chart of a page: its height is at least 55 % of the browser window. */
  isTall?: boolean
  /** Data of the chart in this card: lines, times and unit; `undefined` while loading. */
  drawing: CardDrawing | undefined
  window: ChartWindow
  crosshair: Crosshair
  marks: readonly ChartMark[]
  onZoom: (window: ChartWindow) => void
  onZoomOut: () => void
}

/**
 * React component: card with a chart of a system: title, latest value, legend, and a switch to a table of the same data. Its size does not
 * change while `drawing` loads. `onZoom` gets the selected time window.
 */
export function ChartCard({
  system,
  title,
  description,
  source,
  isWide,
  isTall,
  drawing,
  window,
  crosshair,
  marks,
  onZoom,
  onZoomOut,
}: ChartCardProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  // A move of the crosshair renders only the legend again.
  const [pointed] = useState(createCrosshair)
  const [isTable, setTable] = useState(false)
  const { drawn, shown, undrawnCount } = useShownSeries({ drawing, source, isTable, hidden })
  const ownMarks = useMemo(() => (source === undefined ? marks : marksOn(marks, source)), [marks, source])
  const isEmpty = drawing !== undefined && lastIndexOf(drawing.lines, drawing.times.length) === undefined

  return (
    <section
      aria-label={title}
      aria-busy={drawing === undefined}
      className={cn(
        'card flex min-w-0 flex-col px-3.5 pt-[calc(var(--card-space)-2px)] pb-[calc(var(--card-space)-6px)]',
        isWide && 'lg:col-span-2',
        isTall && '[--plot-height:max(280px,55vh)]',
      )}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 sm:gap-x-3">
        <h2 className="min-w-0 flex-1 truncate text-body font-semibold">{title}</h2>
        <p className="order-last w-full text-small text-muted sm:truncate">{description}</p>
        {/* In the table, the first row has the latest value. */}
        {drawing !== undefined && !isTable && <Headline drawing={drawing} />}
        {shown !== undefined && !isEmpty && isTable && (
          <LoadedPart>
            <CsvButton drawing={shown} system={system} title={title} />
          </LoadedPart>
        )}
        {drawing !== undefined && !isEmpty && (
          <button
            type="button"
            aria-pressed={isTable}
            aria-label={words.show_as_table({ title })}
            data-tooltip={words.as_table()}
            onClick={() => setTable(!isTable)}
            className={cn(
              'grid size-6 shrink-0 place-items-center rounded-control',
              isTable ? 'bg-track text-text hover:bg-border-strong' : 'text-faint hover:bg-hover hover:text-text',
            )}
          >
            <Icon name="table" />
          </button>
        )}
      </header>
      <div className="mt-1.5 h-(--plot-height)">
        <CardBody
          title={title}
          source={source}
          drawing={shown}
          isEmpty={isEmpty}
          isTable={isTable}
          chart={{ window, crosshair, marks: ownMarks, onZoom, onZoomOut, onIndex: pointed.move }}
        />
      </div>
      <Legend
        drawing={drawn}
        top={<TopChoice drawing={drawing} source={source} undrawnCount={undrawnCount} />}
        hidden={hidden}
        pointed={pointed}
        onToggle={(key) =>
          setHidden((current) => (current.has(key) ? new Set([...current].filter((one) => one !== key)) : new Set([...current, key])))
        }
      />
    </section>
  )
}

type ShownSeries = Pick<ChartCardProps, 'drawing' | 'source'> & { isTable: boolean; hidden: ReadonlySet<string> }

/**
 * React hook: returns the data that a chart card draws. `drawn` is `drawing` with at most as many lines as the user's settings allow; a
 * comparison has all. `shown` is what the legend or the table lists (the table has all lines), without `hidden` ones. `undrawnCount`: lines
 * left out of `drawn`.
 */
function useShownSeries({ drawing, source, isTable, hidden }: ShownSeries) {
  const { chartSeries } = useSettings()
  const count = source === undefined || chartSeries === 'all' ? undefined : chartSeries
  const top = useMemo(() => drawing && topSeries(drawing, count, (others) => words.series_others({ count: others })), [drawing, count])
  // The table and its CSV file contain all series.
  const listed = isTable ? drawing : top?.drawing
  const shown = useMemo(() => listed && withoutLines(listed, hidden), [listed, hidden])
  return { drawn: top?.drawing, shown, undrawnCount: top?.undrawnCount ?? 0 }
}

/**
 * React component: control for the maximum number of series that charts draw. Renders nothing for a comparison of systems, and for a chart
 * with at most 5 series.
 */
function TopChoice({ drawing, source, undrawnCount }: Pick<ChartCardProps, 'drawing' | 'source'> & { undrawnCount: number }) {
  if (source === undefined || drawing === undefined || drawing.lines.length <= seriesCounts[0]) return null
  return (
    <span className="ml-auto flex min-h-6 min-w-32 flex-wrap justify-end">
      <Optional>
        <TopSeriesControl undrawnCount={undrawnCount} />
      </Optional>
    </span>
  )
}

/**
 * Returns a chart's data without the lines whose keys are in `hidden`. Returns the same object when nothing is hidden, so cached layouts
 * stay valid.
 */
const withoutLines = (drawing: CardDrawing, hidden: ReadonlySet<string>): CardDrawing =>
  hidden.size === 0 ? drawing : { ...drawing, lines: drawing.lines.filter(({ key }) => !hidden.has(key)) }

type CardBodyProps = {
  title: string
  source: Source | undefined
  drawing: CardDrawing | undefined
  isEmpty: boolean
  isTable: boolean
  chart: Pick<TimeChartProps, 'window' | 'crosshair' | 'marks' | 'onZoom' | 'onZoomOut' | 'onIndex'>
}

function CardBody({ title, source, drawing, isEmpty, isTable, chart }: CardBodyProps) {
  const { marks } = chart
  const formats = useFormats()
  // The summary for screen readers is computed after the chart is drawn.
  const told = useDeferredValue(drawing ?? null, null)
  const summary = useMemo(() => (told === null ? title : chartSummary(title, told, marks, formats)), [title, told, marks, formats])
  if (drawing === undefined) return <div className="h-full animate-skeleton rounded-control bg-sunken" />
  if (isEmpty) return <p className="grid h-full place-items-center text-note text-muted">{words.chart_empty()}</p>
  return (
    <LoadedPart>
      {isTable ? (
        <ChartTable drawing={drawing} title={title} source={source} />
      ) : (
        <TimeChart drawing={drawing} summary={summary} totalLabel={words.total()} {...chart} />
      )}
    </LoadedPart>
  )
}
