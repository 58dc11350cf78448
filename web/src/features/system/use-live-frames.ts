import { useEffect, useMemo, useState } from 'react'
import type { Measurement } from '../../api/measurements.ts'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import { clockNow } from '../../format/clock.ts'

export type Live =
  | { readonly kind: 'off' | 'waiting' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'on'
      readonly frames: LiveFrames
      /** When the last sample came, epoch ms. */
      readonly lastMs: number
      /** No sample came for a while: the agent or the connection is gone. */
      readonly isStale: boolean
    }

/** Values come each second: after so many without one they are no longer live. */
const STALE_MS = 5_000

type LiveFrames = Readonly<Record<StatsKind, SeriesFrame>>

type Followed = {
  readonly systemId: string
  readonly measurements: readonly Measurement[]
  /** The measurements as the charts take them; `undefined` before the first. */
  readonly frames?: LiveFrames
  readonly error?: unknown
}

/** Loaded when somebody switches to live values. The returned function ends it. */
async function follow(systemId: string, onChange: (change: (known: Followed) => Followed) => void): Promise<() => Promise<void>> {
  const { followMeasurements, liveFrame, withMeasurement } = await import('../../api/measurements.ts')
  return followMeasurements(systemId, (next) =>
    onChange((known) => {
      const measurements = withMeasurement(known.systemId === systemId ? known.measurements : [], next)
      const frames = { system: liveFrame(measurements, 'system'), containers: liveFrame(measurements, 'containers') }
      return { systemId, measurements, frames }
    }),
  )
}

/** One-second samples of a system while `isOn` and the page is visible. A page in the background asks no agent. */
export function useLiveFrames(systemId: string, isOn: boolean): Live {
  const isSeen = useIsSeen()
  const [followed, setFollowed] = useState<Followed>({ systemId, measurements: [] })
  useEffect(() => {
    if (!isOn || !isSeen) return
    const following = follow(systemId, setFollowed)
    following.catch((error: unknown) => setFollowed({ systemId, measurements: [], error }))
    // There may be no subscription yet, or no stream any more: nothing to end.
    return () => void following.then((leave) => leave()).catch(() => undefined)
  }, [systemId, isOn, isSeen])

  const isStale = useIsStale(followed.measurements, isOn && isSeen)
  return useMemo(() => {
    if (!isOn) return { kind: 'off' }
    const { measurements, frames, error } = followed
    if (followed.systemId === systemId && error !== undefined) return { kind: 'failed', error }
    const lastMs = measurements.at(-1)?.system.at
    if (followed.systemId !== systemId || frames === undefined || lastMs === undefined) return { kind: 'waiting' }
    return { kind: 'on', frames, lastMs, isStale }
  }, [isOn, followed, systemId, isStale])
}

/** Whether the last measurement came a while ago, by the page's own timer. */
function useIsStale(measurements: readonly Measurement[], isFollowed: boolean): boolean {
  const [stale, setStale] = useState<readonly Measurement[]>()
  useEffect(() => {
    const last = measurements.at(-1)
    if (!isFollowed || last === undefined) return
    const timer = setTimeout(() => setStale(measurements), last.system.at + STALE_MS - clockNow())
    return () => clearTimeout(timer)
  }, [measurements, isFollowed])
  return stale === measurements
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const onChange = () => setSeen(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [])
  return isSeen
}
