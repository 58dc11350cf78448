import type { QueryKey } from '@tanstack/react-query'
import { clockNow } from '../format/clock.ts'
import { keys } from './keys.ts'
import type { Range } from './ranges.ts'
import { isEmptyFrame, type SeriesFrame } from './series-frame.ts'
import { serverQuery } from './server-query.ts'
import {
  fetchRange,
  fetchWindow,
  MINUTE_MS,
  MINUTES_BACK,
  type HistoryKind,
  type HistoryQuery,
  type StatsKind,
  type TimeWindow,
} from './stats.ts'

/** Time range of the charts: a preset that ends now, or a window that a person picked. */
export type ChartSpan = { readonly kind: 'range'; readonly range: Range } | { readonly kind: 'window'; readonly window: TimeWindow }

export const statsQuery = (systemId: string, kind: StatsKind, span: ChartSpan) =>
  serverQuery(
    keys.stats(systemId, kind, spanKey(span)),
    (signal) =>
      span.kind === 'range' ? fetchRange(systemId, kind, span.range, signal) : fetchWindow({ systemId, kind, window: span.window }, signal),
    forgotten(span),
  )

/** A frame for each kind the history tells apart, containers excepted. */
export type HistoryFrames = Readonly<Record<Exclude<HistoryKind, 'containers'>, SeriesFrame>>

/** The same span of what the preset ranges' records do not hold. */
export const historyQuery = (systemId: string, span: ChartSpan) =>
  serverQuery(
    keys.history(systemId, spanKey(span)),
    async (signal): Promise<HistoryFrames> => {
      const toMs = clockNow()
      const window = span.kind === 'range' ? { fromMs: toMs - span.range.spanMs, toMs } : span.window
      const frames = await readHistory({ systemId, window }, signal)
      // A new system has no buckets yet: the minutes there are. The window stays the one that was asked for.
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
    forgotten(span),
  )

/** The part of a key that says which span. */
export const spanKey = (span: ChartSpan) => (span.kind === 'range' ? span.range.id : span.window)

/** A range that is left is forgotten: the next one starts from nothing, as does coming back to this one. */
const forgotten = (span: ChartSpan) => ({ placeholderData: whilePanned(span), gcTime: 0, staleTime: Number.POSITIVE_INFINITY })

/** A window that is moved keeps what was read of it, until what is new is there; any other begins with nothing. */
const whilePanned =
  (span: ChartSpan) =>
  <T>(previous: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined => {
    const shown = query?.queryKey.at(-1)
    const isMoved = span.kind === 'window' && isWindow(shown) && shown.toMs - shown.fromMs === span.window.toMs - span.window.fromMs
    return isMoved ? previous : undefined
  }

const isWindow = (key: unknown): key is TimeWindow => typeof key === 'object' && key !== null && 'fromMs' in key && 'toMs' in key

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
