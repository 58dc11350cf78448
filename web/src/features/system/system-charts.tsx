import { lazy, useMemo, useState } from 'react'
import { isEmptyFrame, type SeriesFrame } from '../../api/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import type { ChartSpan } from '../../api/stats-query.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import type { ChartWindow } from '../../chart/chart-drawing.ts'
import { inChosenUnits } from '../../chart/chosen-units.ts'
import { createCrosshair } from '../../chart/crosshair.ts'
import { clockNow } from '../../format/clock.ts'
import type { Formats } from '../../format/formats.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'
import { ChartCard } from './chart-card.tsx'
import type { CardDrawing } from './chart-spec.ts'
import { charts } from './charts.ts'
import { chartsFor, expectedCharts, wideChart, type ChartId } from './charts-model.ts'
import { collectedWindow, isAddedWithin } from './collected-window.ts'
import { containerNames, onlyContainers } from './container-stack.ts'
import type { PageCharts } from './page-charts.ts'
import { SystemHeader } from './system-header.tsx'
import { useLiveFrames, type Live } from './use-live-frames.ts'
import { useMarks } from './use-marks.ts'
import { useSpan } from './use-span.ts'
import { useStats, type StatsSet } from './use-stats.ts'

const MoreCharts = lazy(async () => ({ default: (await import('./more/more-charts.tsx')).MoreCharts }))

const Inventory = lazy(async () => ({ default: (await import('./inventory/inventory.tsx')).Inventory }))

const filterFields = { containers: textField(200) }

/** A filter is offered from this many containers on. */
const FILTER_FROM_CONTAINERS = 2

export function SystemCharts({ system, onAlerts }: { system: System; onAlerts: () => void }) {
  const { span, setSpan, pick, isLive, setLive, zoomTo, zoomOut } = useSpan()
  const live = useLiveFrames(system.id, isLive)
  const stats = useStats(system, span)
  const { values, change } = useSearchValues(filterFields)
  const filter = values.containers
  const [crosshair] = useState(createCrosshair)
  const isLoading = live.kind !== 'on' && isAwaited(stats)
  const hostFrame = live.kind === 'on' ? live.frames.system : frameOf(stats.system)
  const containerFrame = live.kind === 'on' ? live.frames.containers : frameOf(stats.containers)
  const ids = useMemo(() => chartsFor({ system: hostFrame, containers: containerFrame }), [hostFrame, containerFrame])
  const kept = useKept(isLoading ? undefined : ids, useIsFirst(hostFrame, stats.isReading))
  const shown = kept ?? expectedCharts
  // The first response is processed while the other request runs.
  const formats = useFormats()
  const hostDrawings = useMemo(() => drawingsOf('system', hostFrame, formats), [hostFrame, formats])
  const containerDrawings = useMemo(() => drawingsOf('containers', containerFrame, formats, filter), [containerFrame, formats, filter])
  const marks = useMarks(system, span, live.kind === 'on' ? undefined : hostFrame)
  const range = windowOf(span, hostFrame ?? containerFrame)
  const isNew = isNewIn(range, span, live, system)
  const { window, collecting } = isNew ? collectedWindow(range, system.createdMs, [hostFrame, containerFrame]) : { window: range }
  const wide = wideChart(shown)
  const { chartColumns } = useSettings()
  const page: PageCharts = { span, window, crosshair, marks, onZoom: zoomTo, onZoomOut: zoomOut }

  return (
    <>
      <SystemHeader
        system={system}
        span={span}
        window={window}
        onSpan={setSpan}
        onPick={pick}
        onZoomOut={zoomOut}
        live={live}
        onLive={setLive}
        onAlerts={onAlerts}
        isNew={isNew}
        collecting={collecting}
      >
        {containerFrame !== undefined && containerNames(containerFrame).length >= FILTER_FROM_CONTAINERS && (
          <ContainerFilter filter={filter} onFilter={(containers) => change({ containers })} />
        )}
      </SystemHeader>
      <FailedSet set={stats.system} message={words.host_stats_failed()} />
      <FailedSet set={stats.containers} message={words.container_stats_failed()} />
      <div className={cn('grid gap-(--card-space) max-lg:gap-[min(10px,var(--card-space))]', chartColumns === 2 && 'lg:grid-cols-2')}>
        {shown.map((id) => (
          <ChartCard
            // The outlines before the first data are other cards than the ones that take their place.
            key={kept === undefined ? `expected-${id}` : id}
            system={system.name}
            title={charts[id].title()}
            description={charts[id].description()}
            source={charts[id].source}
            isWide={id === wide && chartColumns === 2}
            drawing={isLoading ? undefined : (hostDrawings.get(id) ?? containerDrawings.get(id))}
            window={window}
            crosshair={crosshair}
            marks={marks}
            onZoom={zoomTo}
            onZoomOut={zoomOut}
          />
        ))}
      </div>
      <LoadedPart>
        <MoreCharts system={system} {...page} />
        <Inventory system={system} {...page} />
      </LoadedPart>
    </>
  )
}

/** The last charts that were known, so that a change of range keeps every card in its place. `isFirst`: which charts there are is not known yet. */
function useKept(ids: readonly ChartId[] | undefined, isFirst: boolean): readonly ChartId[] | undefined {
  const [kept, setKept] = useState<readonly ChartId[]>()
  if (isFirst && kept === undefined) return undefined
  if (ids !== undefined && ids !== kept) setKept(ids)
  return ids ?? kept
}

/** True before the first sample, and from then on until both sets have it: the cards of containers come with those of the host. */
function useIsFirst(hostFrame: SeriesFrame | undefined, isReading: boolean): boolean {
  const isEmpty = hostFrame !== undefined && isEmptyFrame(hostFrame)
  const [isFirst, setFirst] = useState(false)
  if (isEmpty && !isFirst) setFirst(true)
  if (!isEmpty && isFirst && !isReading) setFirst(false)
  return isEmpty || (isFirst && isReading)
}

/** The drawings of one set, by chart; of containers those whose names hold `filter`. */
function drawingsOf(kind: StatsKind, frame: SeriesFrame | undefined, formats: Formats, filter = ''): ReadonlyMap<ChartId, CardDrawing> {
  if (frame === undefined) return new Map()
  const ids = chartsFor({ system: undefined, containers: undefined, [kind]: frame })
  return new Map(ids.map((id) => [id, inChosenUnits(onlyContainers(charts[id].draw(frame), filter), formats)]))
}

/** Both sets come at once, so that no card has to move; what takes another try keeps nobody waiting. */
function isAwaited({ system, containers }: Readonly<Record<StatsKind, StatsSet>>): boolean {
  const isLate = [system, containers].map((set) => set.state === 'loading' && set.hasFailed)
  return (system.state === 'loading' && !isLate[0]) || (containers.state === 'loading' && !isLate[1]) || isLate.every(Boolean)
}

const frameOf = (set: StatsSet) => (set.state === 'ready' ? set.frame : undefined)

function windowOf(span: ChartSpan, frame: ChartWindow | undefined): ChartWindow {
  if (span.kind === 'window') return span.window
  if (frame !== undefined) return frame
  const toMs = clockNow()
  return { fromMs: toMs - span.range.spanMs, toMs }
}

/** Whether the system is younger than the preset range that is drawn. A picked window and the live seconds stand as they are. */
const isNewIn = (range: ChartWindow, span: ChartSpan, live: Live, { createdMs }: System): boolean =>
  span.kind === 'range' && live.kind !== 'on' && isAddedWithin(range, createdMs)

/** One quiet line where a set of charts would be. */
function FailedSet({ set, message }: { set: StatsSet; message: string }) {
  if (set.state !== 'failed') return null
  return (
    <output className="mb-3 flex flex-wrap items-center gap-2 text-note text-muted">
      {message} {messageOf(set.error)}
      <button type="button" onClick={set.retry} className="h-6 rounded-control px-1.5 text-accent underline">
        {words.retry()}
      </button>
    </output>
  )
}

function ContainerFilter({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  return <SearchField label={words.filter_containers()} value={filter} onChange={onFilter} className="h-7 w-40 max-sm:w-full" />
}
