import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { SystemEvent } from '../../api/system-events.ts'
import type { System } from '../../api/system-record.ts'

/**
 * Event that a system's charts mark, such as a restart, downtime or a container's exit. Times are epoch ms; `toMs` is the end of an event
 * that lasts, `why` the reason if known.
 */
export type Happening = {
  readonly kind: 'restart' | 'down' | 'paused' | 'hub' | 'silence' | 'exit' | 'out-of-memory'
  readonly fromMs: number
  readonly toMs?: number
  readonly why?: string
  /** Object with the name and exit code of the container in which the event happened; `undefined` for an event of the whole system. */
  readonly container?: { readonly name: string; readonly exitCode: number | undefined }
}

/**
 * Factor, 2.5, of the sampling interval. If the shown time range ends more than that after the last point, charts mark the time since that
 * point as a gap.
 */
const LATE_INTERVALS = 2.5

/**
 * Difference in ms, 2 min, below which two computed boot times count as one. The computed boot time varies with the rounding of the uptime
 * and the age of the sample.
 */
const SAME_START_MS = 120_000

/**
 * Returns the machine's boot time in epoch ms: the latest sample's time less its uptime. If the result differs by less than 2 min from
 * `knownMs`, the result for the previous sample, it returns `knownMs`. So restart marks do not move.
 */
export function machineStart({ sampledAtMs, uptimeSeconds }: System['latest'], knownMs: number | undefined): number | undefined {
  if (sampledAtMs === undefined || uptimeSeconds === undefined) return knownMs
  const startMs = sampledAtMs - uptimeSeconds * 1000
  return knownMs !== undefined && Math.abs(startMs - knownMs) < SAME_START_MS ? knownMs : startMs
}

type Known = {
  readonly status: System['status']
  /** Boot time of the machine as {@link machineStart} computes it, epoch ms; `undefined` when unknown. */
  readonly startMs: number | undefined
  readonly frame: SeriesFrame
  /**
   * Stored events of the system, oldest first, including the status at the start of the time range. `undefined` from a hub that stores no
   * events.
   */
  readonly events: readonly SystemEvent[] | undefined
  readonly intervalMs: number
  readonly nowMs: number
}

/**
 * Returns the list of a system's events that overlap a time range, by start time. They are restarts, downtimes, pauses, gaps without
 * samples, and container exits or out-of-memory kills.
 */
export function happeningsIn({ status, startMs, frame, events, intervalMs, nowMs }: Known): readonly Happening[] {
  const { fromMs, toMs } = frame
  const isWithin = ({ fromMs: start, toMs: end = start + 1 }: Happening): boolean => end > fromMs && start < toMs
  const downtimes = downtimesOf(events ?? [], nowMs)
  const gaps = [...gapsOf(frame), ...lastGap({ status, frame, intervalMs, nowMs })]
    // A gap with a stored reason is shown as that event.
    .filter((gap) => !downtimes.some((time) => time.fromMs < gap.toMs && time.toMs > gap.fromMs))
    .map((gap) => (gap.kind === 'silence' && isHubOutage(gap, events ?? []) ? ({ ...gap, kind: 'hub' } as const) : gap))
  return [...startsOf(startMs, events ?? [], fromMs), ...downtimes, ...gaps, ...endsOf(events ?? [])]
    .filter(isWithin)
    .toSorted((a, b) => a.fromMs - b.fromMs)
}

/** Returns the exits and out-of-memory kills of containers among a system's stored events, as a list of events for the charts. */
const endsOf = (events: readonly SystemEvent[]): readonly Happening[] =>
  events.flatMap(({ at, kind, container: name, exitCode }) => {
    if (name === undefined || (kind !== 'container-exited' && kind !== 'container-out-of-memory')) return []
    return [{ kind: kind === 'container-exited' ? 'exit' : 'out-of-memory', fromMs: at, container: { name, exitCode } } as const]
  })

type EventRange = { readonly kind: Happening['kind']; readonly fromMs: number; readonly toMs: number; readonly why?: string }

/**
 * Returns a list of the time ranges in which the system was down or paused, from its stored events. Each ends at the next status change, or
 * at `nowMs`.
 */
function downtimesOf(events: readonly SystemEvent[], nowMs: number): readonly EventRange[] {
  const statuses = events.filter(({ kind }) => kind === 'up' || kind === 'down' || kind === 'paused' || kind === 'resumed')
  return statuses.flatMap(({ at, kind, text }, index) => {
    if (kind !== 'down' && kind !== 'paused') return []
    const toMs = Math.max(at, statuses[index + 1]?.at ?? nowMs)
    return [{ kind, fromMs: at, toMs, ...(text === '' ? {} : { why: text }) }]
  })
}

/**
 * Returns true when a gap in a system's samples is explained by the hub itself not running: a stored event `hub-started` lies in the gap.
 */
const isHubOutage = ({ fromMs, toMs }: EventRange, events: readonly SystemEvent[]): boolean =>
  events.some(({ kind, at }) => kind === 'hub-started' && at > fromMs && at <= toMs)

/**
 * Returns the machine's restarts as a list of events: the stored ones, and one at the boot time `startMs`. The latter is left out up to 2
 * min after the time range's start (`fromMs`), and within 2 min of a stored one.
 */
function startsOf(startMs: number | undefined, events: readonly SystemEvent[], fromMs: number): readonly Happening[] {
  const stored = events.filter(({ kind }) => kind === 'restarted').map(({ at }) => at)
  const isOther =
    startMs !== undefined && startMs - fromMs >= SAME_START_MS && stored.every((at) => Math.abs(at - startMs) >= SAME_START_MS)
  return (isOther ? [...stored, startMs] : stored).map((at) => ({ kind: 'restart', fromMs: at }))
}

/**
 * Returns the list of gaps in a system's series. Each time but the first and last at which no series has a value gives one gap, between its
 * neighbouring times.
 */
function gapsOf({ times, series }: SeriesFrame): readonly EventRange[] {
  const columns = [...series.values()]
  return times.flatMap((_, index) => {
    const [fromMs, toMs] = [times[index - 1], times[index + 1]]
    if (fromMs === undefined || toMs === undefined || columns.some((column) => column[index] !== null)) return []
    return [{ kind: 'silence', fromMs, toMs } as const]
  })
}

/**
 * Returns a list with the gap from the last point to the range's end or now, of the kind `down`, `paused` or `silence`. The list is empty
 * without points, for a gap under 2.5 intervals, and when the range ended over 2.5 intervals ago.
 */
function lastGap({ status, frame: { times, toMs }, intervalMs, nowMs }: Omit<Known, 'events' | 'startMs'>): readonly EventRange[] {
  const fromMs = times.at(-1)
  const endMs = Math.min(toMs, nowMs)
  if (fromMs === undefined || endMs - fromMs < LATE_INTERVALS * intervalMs || nowMs - toMs > LATE_INTERVALS * intervalMs) return []
  return [{ kind: status === 'down' || status === 'paused' ? status : 'silence', fromMs, toMs: endMs }]
}
