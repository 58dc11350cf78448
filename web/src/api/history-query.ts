import { clockNow } from '../format/clock.ts'
import { isEmptyFrame, type SeriesFrame } from '../chart/series-frame.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import {
  fetchWindow,
  MINUTE_MS,
  MINUTES_BACK,
  spanKey,
  spanQueryOptions,
  type ChartSpan,
  type HistoryKind,
  type HistoryQuery,
} from './stats.ts'

/**
 * Loaded history of a system for charts: an object from kind (`system`, `disks`, `interfaces`, `gpus`, `sensors`) to time series. The
 * series of a kind share a list of times in epoch ms, and each has a list of values.
 */
export type HistoryFrames = Readonly<Record<Exclude<HistoryKind, 'containers'>, SeriesFrame>>

/**
 * TanStack Query options for the history of a system in a time range. The data is a `HistoryFrames`: series of the system, its disks,
 * interfaces, GPUs and sensors. It comes from the history endpoint, which has more series than the records of `system_stats`.
 */
export const historyQuery = (systemId: string, span: ChartSpan) =>
  serverQuery(
    keys.history(systemId, spanKey(span)),
    async (signal): Promise<HistoryFrames> => {
      const toMs = clockNow()
      const window = span.kind === 'range' ? { fromMs: toMs - span.range.spanMs, toMs } : span.window
      const frames = await readHistory({ systemId, window }, signal)
      // A new system has no buckets yet, so the minutes are read. The window of the frame stays the requested one.
      if (span.kind === 'window' || !isEmptyFrame(frames.system)) return frames
      const minutes = { fromMs: Math.max(window.fromMs, toMs - MINUTES_BACK * MINUTE_MS), toMs }
      const finer = await readHistory({ systemId, window: minutes, points: MINUTES_BACK }, signal)
      return {
        system: { ...finer.system, ...window },
        disks: { ...finer.disks, ...window },
        interfaces: { ...finer.interfaces, ...window },
        gpus: { ...finer.gpus, ...window },
        sensors: { ...finer.sensors, ...window },
      }
    },
    spanQueryOptions(span),
  )

async function readHistory(query: Omit<HistoryQuery, 'kind'>, signal: AbortSignal): Promise<HistoryFrames> {
  const [system, disks, interfaces, gpus, sensors] = await Promise.all([
    fetchWindow({ ...query, kind: 'system' }, signal),
    fetchWindow({ ...query, kind: 'disks' }, signal),
    fetchWindow({ ...query, kind: 'interfaces' }, signal),
    fetchWindow({ ...query, kind: 'gpus' }, signal),
    fetchWindow({ ...query, kind: 'sensors' }, signal),
  ])
  return { system, disks, interfaces, gpus, sensors }
}
