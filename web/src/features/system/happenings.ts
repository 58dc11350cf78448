import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { SystemEvent } from '../../api/system-events.ts'
import type { System } from '../../api/system-record.ts'

/** An event of a system or of one of its containers. Epoch ms; `toMs` where it lasted; `why` where the reason is known. */
export type Happening = {
  readonly kind: 'restart' | 'down' | 'paused' | 'hub' | 'silence' | 'exit' | 'out-of-memory'
  readonly fromMs: number
  readonly toMs?: number
  readonly why?: string
  /** The container that it happened to, and how that ended. */
  readonly container?: { readonly name: string; readonly exitCode: number | undefined }
}

/** Past its last point a chart may end this many intervals before its window does. */
const LATE_INTERVALS = 2.5

/** Two starts of a machine are further apart; one that is computed twice differs by the rounding of its uptime and the age of its sample. */
const SAME_START_MS = 120_000

/**
 * Boot time of the machine by the uptime of its latest sample, epoch ms. It is `knownMs`, the one computed before, until a sample differs
 * by more than rounding explains: a mark must not move with each sample, least of all across the edge of the window.
 */
export function machineStart({ sampledAtMs, uptimeSeconds }: System['latest'], knownMs: number | undefined): number | undefined {
  if (sampledAtMs === undefined || uptimeSeconds === undefined) return knownMs
  const startMs = sampledAtMs - uptimeSeconds * 1000
  return knownMs !== undefined && Math.abs(startMs - knownMs) < SAME_START_MS ? knownMs : startMs
}

type Known = {
  readonly status: System['status']
  /** Boot time of the machine by {@link machineStart}, epoch ms. */
  readonly startMs: number | undefined
  readonly frame: SeriesFrame
  /** Oldest first; before those of the window what the system was when it began. `undefined`: the hub keeps none. */
  readonly events: readonly SystemEvent[] | undefined
  readonly intervalMs: number
  readonly nowMs: number
}

/** Events in a frame's window by start time: restarts, and times when the system was down, paused or silent. */
export function happeningsIn({ status, startMs, frame, events, intervalMs, nowMs }: Known): readonly Happening[] {
  const { fromMs, toMs } = frame
  const isWithin = ({ fromMs: start, toMs: end = start + 1 }: Happening): boolean => end > fromMs && start < toMs
  const told = stretchesOf(events ?? [], nowMs)
  const gaps = [...gapsOf(frame), ...lastGap({ status, frame, intervalMs, nowMs })]
    // A gap with a stored reason is shown as that event.
    .filter((gap) => !told.some((time) => time.fromMs < gap.toMs && time.toMs > gap.fromMs))
    .map((gap) => (gap.kind === 'silence' && isHubsOwn(gap, events ?? []) ? ({ ...gap, kind: 'hub' } as const) : gap))
  return [...startsOf(startMs, events ?? [], fromMs), ...told, ...gaps, ...endsOf(events ?? [])]
    .filter(isWithin)
    .toSorted((a, b) => a.fromMs - b.fromMs)
}

/** Ends of containers, and kills for memory. */
const endsOf = (events: readonly SystemEvent[]): readonly Happening[] =>
  events.flatMap(({ at, kind, container: name, exitCode }) => {
    if (name === undefined || (kind !== 'container-exited' && kind !== 'container-out-of-memory')) return []
    return [{ kind: kind === 'container-exited' ? 'exit' : 'out-of-memory', fromMs: at, container: { name, exitCode } } as const]
  })

type Stretch = { readonly kind: Happening['kind']; readonly fromMs: number; readonly toMs: number; readonly why?: string }

/** Each time a system was down or paused: until something else is said of it, or now. */
function stretchesOf(events: readonly SystemEvent[], nowMs: number): readonly Stretch[] {
  const statuses = events.filter(({ kind }) => kind === 'up' || kind === 'down' || kind === 'paused' || kind === 'resumed')
  return statuses.flatMap(({ at, kind, text }, index) => {
    if (kind !== 'down' && kind !== 'paused') return []
    const toMs = Math.max(at, statuses[index + 1]?.at ?? nowMs)
    return [{ kind, fromMs: at, toMs, ...(text === '' ? {} : { why: text }) }]
  })
}

/** Whether nobody was there to hear: the hub started while nothing was heard. */
const isHubsOwn = ({ fromMs, toMs }: Stretch, events: readonly SystemEvent[]): boolean =>
  events.some(({ kind, at }) => kind === 'hub-started' && at > fromMs && at <= toMs)

/**
 * Starts of the machine: those that the hub stored, and the one by its uptime where that is another one. Near the beginning of the window
 * the latter may be a stored one that lies just before it and was therefore not read: it is left out there.
 */
function startsOf(startMs: number | undefined, events: readonly SystemEvent[], fromMs: number): readonly Happening[] {
  const stored = events.filter(({ kind }) => kind === 'restarted').map(({ at }) => at)
  const isOther =
    startMs !== undefined && startMs - fromMs >= SAME_START_MS && stored.every((at) => Math.abs(at - startMs) >= SAME_START_MS)
  return (isOther ? [...stored, startMs] : stored).map((at) => ({ kind: 'restart', fromMs: at }))
}

/** Rows without any value stand for the gaps between their neighbours. */
function gapsOf({ times, series }: SeriesFrame): readonly Stretch[] {
  const columns = [...series.values()]
  return times.flatMap((_, index) => {
    const [fromMs, toMs] = [times[index - 1], times[index + 1]]
    if (fromMs === undefined || toMs === undefined || columns.some((column) => column[index] !== null)) return []
    return [{ kind: 'silence', fromMs, toMs } as const]
  })
}

/** From the last point to the end of the window, when the system's state tells why nothing came after it. */
function lastGap({ status, frame: { times, toMs }, intervalMs, nowMs }: Omit<Known, 'events' | 'startMs'>): readonly Stretch[] {
  const fromMs = times.at(-1)
  const endMs = Math.min(toMs, nowMs)
  if (fromMs === undefined || endMs - fromMs < LATE_INTERVALS * intervalMs || nowMs - toMs > LATE_INTERVALS * intervalMs) return []
  return [{ kind: status === 'down' || status === 'paused' ? status : 'silence', fromMs, toMs: endMs }]
}
