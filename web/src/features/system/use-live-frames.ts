import { useEffect, useMemo, useState } from 'react'
import { followMeasurements, liveFrame, withMeasurement, type Measurement } from '../../api/measurements.ts'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import { clockNow } from '../../format/clock.ts'

export type Live =
  | { readonly kind: 'off' | 'waiting' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'on'
      readonly frames: Readonly<Record<StatsKind, SeriesFrame>>
      /** When the last values came, epoch ms, if they are no longer live: the agent or the connection is gone. */
      readonly endedMs: number | undefined
    }

/** Values come each second: after so many without one they are no longer live. */
const STALE_MS = 5_000

type Followed = { readonly systemId: string; readonly measurements: readonly Measurement[]; readonly error?: unknown }

/** One-second samples of a system while `isOn` and the page is visible. A page in the background asks no agent. */
export function useLiveFrames(systemId: string, isOn: boolean): Live {
  const isSeen = useIsSeen()
  const [followed, setFollowed] = useState<Followed>({ systemId, measurements: [] })
  useEffect(() => {
    if (!isOn || !isSeen) return
    const add = (next: Measurement) =>
      setFollowed((known) => ({ systemId, measurements: withMeasurement(known.systemId === systemId ? known.measurements : [], next) }))
    const following = followMeasurements(systemId, add)
    following.catch((error: unknown) => setFollowed({ systemId, measurements: [], error }))
    // There may be no subscription yet, or no stream any more: nothing to end.
    return () => void following.then((leave) => leave()).catch(() => undefined)
  }, [systemId, isOn, isSeen])

  const isStale = useIsStale(followed.measurements, isOn && isSeen)
  return useMemo(() => {
    if (!isOn) return { kind: 'off' }
    if (followed.systemId !== systemId || (followed.measurements.length === 0 && followed.error === undefined)) return { kind: 'waiting' }
    if (followed.error !== undefined) return { kind: 'failed', error: followed.error }
    const { measurements } = followed
    const frames = { system: liveFrame(measurements, 'system'), containers: liveFrame(measurements, 'containers') }
    return { kind: 'on', frames, endedMs: isStale ? measurements.at(-1)?.system.at : undefined }
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
