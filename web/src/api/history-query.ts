import { clockNow } from '../format/clock.ts'
import { isEmptyFrame, type SeriesFrame } from '../chart/series-frame.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { fetchWindow, forgotten, MINUTE_MS, MINUTES_BACK, spanKey, type ChartSpan, type HistoryKind, type HistoryQuery } from './stats.ts'

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
