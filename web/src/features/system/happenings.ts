import type { SeriesFrame } from '../../api/series-frame.ts'
import type { System } from '../../api/system-record.ts'

/** What happened to a system, as far as what is stored tells. Epoch ms; `toMs` where it lasted. */
export type Happening = { readonly kind: 'restart' | 'down' | 'paused' | 'silence'; readonly fromMs: number; readonly toMs?: number }

/** A time that the system was told to be down; without `toMs` it still is. */
export type DownTime = { readonly fromMs: number; readonly toMs?: number | undefined }

/** Past its last point a chart may end this many intervals before its window does. */
const LATE_INTERVALS = 2.5

type Known = {
  readonly system: System
  readonly frame: SeriesFrame
  readonly downTimes: readonly DownTime[]
  readonly intervalMs: number
  readonly nowMs: number
}

/** What happened in a frame's window, in the order it began: starts of the machine, times it was down, paused, or unheard of. */
export function happeningsIn({ system, frame, downTimes, intervalMs, nowMs }: Known): readonly Happening[] {
  const { fromMs, toMs } = frame
  const isWithin = (start: number, end: number): boolean => end > fromMs && start < toMs
  const down = downTimes
    .map((time) => ({ kind: 'down', fromMs: time.fromMs, toMs: time.toMs ?? nowMs }) as const)
    .filter((time) => isWithin(time.fromMs, time.toMs))
  const gaps = [...gapsOf(frame), ...lastGap({ system, frame, intervalMs, nowMs })]
    // Of a gap that somebody was told about, the reason is known.
    .filter((gap) => gap.kind !== 'silence' || !down.some((time) => time.fromMs < gap.toMs && time.toMs > gap.fromMs))
  const restart = startOf(system)
  return [
    ...(restart !== undefined && isWithin(restart, restart + 1) ? [{ kind: 'restart', fromMs: restart } as const] : []),
    ...down,
    ...gaps,
  ].toSorted((a, b) => a.fromMs - b.fromMs)
}

/** When the machine started, as its last sample says. */
function startOf({ latest: { sampledAtMs, uptimeSeconds } }: System): number | undefined {
  return sampledAtMs === undefined || uptimeSeconds === undefined ? undefined : sampledAtMs - uptimeSeconds * 1000
}

type Gap = { readonly kind: Happening['kind']; readonly fromMs: number; readonly toMs: number }

/** Rows without any value stand for the gaps between their neighbours. */
function gapsOf({ times, series }: SeriesFrame): readonly Gap[] {
  const columns = [...series.values()]
  return times.flatMap((_, index) => {
    const [fromMs, toMs] = [times[index - 1], times[index + 1]]
    if (fromMs === undefined || toMs === undefined || columns.some((column) => column[index] !== null)) return []
    return [{ kind: 'silence', fromMs, toMs } as const]
  })
}

/** From the last point to the end of the window, when the system's state tells why nothing came after it. */
function lastGap({ system: { status }, frame: { times, toMs }, intervalMs, nowMs }: Omit<Known, 'downTimes'>): readonly Gap[] {
  const fromMs = times.at(-1)
  const endMs = Math.min(toMs, nowMs)
  if (fromMs === undefined || endMs - fromMs < LATE_INTERVALS * intervalMs || nowMs - toMs > LATE_INTERVALS * intervalMs) return []
  return [{ kind: status === 'down' || status === 'paused' ? status : 'silence', fromMs, toMs: endMs }]
}
