import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { statsQuery, type ChartSpan, type StatsKind } from '../../api/stats.ts'
import type { System } from '../../api/system-record.ts'
import { inChosenUnits, withLineStyles, type ChartWindow } from '../../chart/chart-drawing.ts'
import { createCrosshair } from '../../chart/crosshair.ts'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import { clockNow } from '../../format/clock.ts'
import type { Formats } from '../../format/formats.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { textField } from '../../navigation/search.ts'
import { useSearchValues } from '../../navigation/use-search-values.ts'
import { useFormats, useSettings } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import * as words from '../../words/messages.js'
import { ChartCard } from './chart-card.tsx'
import type { CardDrawing } from './chart-spec.ts'
import { charts } from './charts.ts'
import { chartsFor, expectedCharts, wideChart, type ChartId } from './charts-model.ts'
import { collectedWindow, isAddedWithin } from './collected-window.ts'
import { containerNames, onlyContainers } from './container-stack.ts'
import { FailedCharts } from './failed-charts.tsx'
import type { PageCharts } from './page-charts.ts'
import { SystemHeader } from './system-header.tsx'
import { useIsFirst, useKeptCharts } from './use-kept-charts.ts'
import { useLiveFrames, type Live } from './use-live-frames.ts'
import { useMarks } from './use-marks.ts'
import { useRenewal } from './use-renewal.ts'
import { useSpan } from './use-span.ts'

const MoreCharts = onDemand(async () => (await import('./more/more-charts.tsx')).MoreCharts)

const Inventory = onDemand(async () => (await import('./inventory/inventory.tsx')).Inventory)

const Notes = onDemand(async () => (await import('./notes/notes.tsx')).Notes)

// Starts to load this code while the data load.
MoreCharts.preload()
Inventory.preload()
Notes.preload()

const filterFields = { containers: textField(200) }

/** Minimum number of containers, 2, for which a system's page offers a filter by container name; with fewer, the filter is absent. */
const FILTER_FROM_CONTAINERS = 2

type SystemChartsProps = { system: System; onAlerts: () => void; onTags: () => void }

export function SystemCharts({ system, onAlerts, onTags }: SystemChartsProps) {
  const { span, setSpan, pick, isLive, setLive, zoomTo, zoomOut } = useSpan()
  const live = useLiveFrames(system.id, isLive)
  const stats = useStats(system, span)
  const { values, change } = useSearchValues(filterFields)
  const filter = values.containers
  const [crosshair] = useState(createCrosshair)
  const { isLoading, hostFrame, containerFrame, storedFrame } = framesOf(live, stats)
  const ids = useMemo(() => chartsFor({ system: hostFrame, containers: containerFrame }), [hostFrame, containerFrame])
  const kept = useKeptCharts(isLoading ? undefined : ids, useIsFirst(hostFrame, stats.isReading))
  const shown = kept ?? expectedCharts
  // The charts of the first response are computed while the other request runs.
  const formats = useFormats()
  const hostDrawings = useMemo(() => drawingsOf('system', hostFrame, formats), [hostFrame, formats])
  const containerDrawings = useMemo(() => drawingsOf('containers', containerFrame, formats, filter), [containerFrame, formats, filter])
  const isFurtherShown = useIsOver(isLoading && !hasFailed(stats))
  const marks = useMarks(system, span, isFurtherShown ? storedFrame : undefined)
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
        onTags={onTags}
        isNew={isNew}
        collecting={collecting}
      >
        {containerFrame !== undefined && containerNames(containerFrame).length >= FILTER_FROM_CONTAINERS && (
          <ContainerFilter filter={filter} onFilter={(containers) => change({ containers })} />
        )}
      </SystemHeader>
      <FailedCharts set={stats.system} message={words.host_stats_failed()} className="mb-3" />
      <FailedCharts set={stats.containers} message={words.container_stats_failed()} className="mb-3" />
      <div className={cn('grid gap-(--card-space) max-lg:gap-[min(10px,var(--card-space))]', chartColumns === 2 && 'lg:grid-cols-2')}>
        {shown.map((id) => (
          <ChartCard
            // Skeletons have keys of their own, so that React does not reuse them for the charts.
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
      {isFurtherShown && (
        <LoadedPart>
          <MoreCharts system={system} {...page} />
          <Notes system={system} />
          <Inventory system={system} {...page} />
        </LoadedPart>
      )}
    </>
  )
}

/**
 * Loading state of the host charts or the container charts, with their series once `ready`. Their requests may fail independently.
 * `hasFailed` is true while a failed request is retried; the state is `failed` after the last try.
 */
type StatsSet =
  | { readonly state: 'loading'; readonly hasFailed: boolean }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'ready'; readonly frame: SeriesFrame }

type Stats = Readonly<Record<StatsKind, StatsSet>> & {
  /** True while a request for the series of these charts (the host charts or the container charts) is running. */
  readonly isReading: boolean
}

/**
 * React hook: loads the series of a system's host charts and container charts in a time range, in parallel. Returns the loading state of
 * both. A preset range is loaded again when a sample arrives that is half a sampling interval newer.
 */
function useStats(system: System, span: ChartSpan): Stats {
  const host = useQuery(statsQuery(system.id, 'system', span))
  const containers = useQuery(statsQuery(system.id, 'containers', span))
  const [{ refetch: refetchHost }, { refetch: refetchContainers }] = [host, containers]
  useRenewal(
    { span, sampledAtMs: system.latest.sampledAtMs, isWanted: true },
    useCallback(() => {
      void refetchHost()
      void refetchContainers()
    }, [refetchHost, refetchContainers]),
  )

  return { system: toSet(host), containers: toSet(containers), isReading: host.isFetching || containers.isFetching }
}

function toSet({ data, isError, error, failureCount, refetch }: UseQueryResult<SeriesFrame>): StatsSet {
  if (data !== undefined) return { state: 'ready', frame: data }
  return isError ? { state: 'failed', error, retry: () => void refetch() } : { state: 'loading', hasFailed: failureCount > 0 }
}

/**
 * Returns a map from chart id to data, for the host charts or the container charts (`kind`), in the units of the user's settings.
 * Containers whose name does not contain `filter` are left out.
 */
function drawingsOf(kind: StatsKind, frame: SeriesFrame | undefined, formats: Formats, filter = ''): ReadonlyMap<ChartId, CardDrawing> {
  if (frame === undefined) return new Map()
  const ids = chartsFor({ system: undefined, containers: undefined, [kind]: frame })
  return new Map(ids.map((id) => [id, inChosenUnits(drawingOf(charts[id].draw(frame), kind, filter), formats)]))
}

/**
 * Returns a chart's data as a system's page draws it. Lines of a host chart (`system`) get dash and hatch patterns; a container chart is
 * reduced to the containers whose name contains `filter`.
 */
const drawingOf = (drawing: CardDrawing, kind: StatsKind, filter: string): CardDrawing =>
  kind === 'system' ? withLineStyles(drawing) : onlyContainers(drawing, filter)

/**
 * Returns true while a system's page should show placeholders for its charts. That is while the first request for host or container series
 * is running, or while both requests are retried after failures.
 */
function isAwaited({ system, containers }: Readonly<Record<StatsKind, StatsSet>>): boolean {
  const isLate = [system, containers].map((set) => set.state === 'loading' && set.hasFailed)
  return (system.state === 'loading' && !isLate[0]) || (containers.state === 'loading' && !isLate[1]) || isLate.every(Boolean)
}

/**
 * Returns the series that the charts draw: one-second samples while live charts are on, otherwise stored ones. `storedFrame`, from which
 * event marks are computed, is `undefined` for live charts. `isLoading` is true while the page should show placeholders; never for live
 * charts.
 */
function framesOf(live: Live, stats: Stats) {
  if (live.kind === 'on')
    return { isLoading: false, hostFrame: live.frames.system, containerFrame: live.frames.containers, storedFrame: undefined }
  const hostFrame = frameOf(stats.system)
  return { isLoading: isAwaited(stats), hostFrame, containerFrame: frameOf(stats.containers), storedFrame: hostFrame }
}

const hasFailed = (stats: Stats): boolean =>
  [stats.system, stats.containers].some((set) => set.state === 'failed' || (set.state === 'loading' && set.hasFailed))

/**
 * React hook: returns true once `isWaiting` has been false, and from then on. `isWaiting` is true while the first charts of a system's page
 * are loading; afterwards the page adds event marks and the content further down.
 */
function useIsOver(isWaiting: boolean): boolean {
  const [isOver, setOver] = useState(false)
  if (!isWaiting && !isOver) setOver(true)
  return useDeferredValue(isOver)
}

const frameOf = (set: StatsSet) => (set.state === 'ready' ? set.frame : undefined)

function windowOf(span: ChartSpan, frame: ChartWindow | undefined): ChartWindow {
  if (span.kind === 'window') return span.window
  if (frame !== undefined) return frame
  const toMs = clockNow()
  return { fromMs: toMs - span.range.spanMs, toMs }
}

/**
 * Returns true when the system was added within the shown preset time range; false for a window that the user selected and for live charts.
 */
const isNewIn = (range: ChartWindow, span: ChartSpan, live: Live, { createdMs }: System): boolean =>
  span.kind === 'range' && live.kind !== 'on' && isAddedWithin(range, createdMs)

function ContainerFilter({ filter, onFilter }: { filter: string; onFilter: (filter: string) => void }) {
  return <SearchField label={words.filter_containers()} value={filter} onChange={onFilter} className="h-7 w-40 max-sm:w-full" />
}
