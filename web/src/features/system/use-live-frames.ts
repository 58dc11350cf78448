import { useEffect, useMemo, useState } from 'react'
import { followMeasurements, liveFrame, withMeasurement, type Measurement } from '../../api/measurements.ts'
import type { SeriesFrame } from '../../api/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'

export type Live =
  | { readonly kind: 'off' | 'waiting' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'on'; readonly frames: Readonly<Record<StatsKind, SeriesFrame>> }

type Followed = { readonly systemId: string; readonly measurements: readonly Measurement[]; readonly error?: unknown }

/** What a system measures each second while `isOn` and somebody looks: a page in the background asks no agent. */
export function useLiveFrames(systemId: string, isOn: boolean): Live {
  const isSeen = useIsSeen()
  const [followed, setFollowed] = useState<Followed>({ systemId, measurements: [] })
  useEffect(() => {
    if (!isOn || !isSeen) return
    const add = (next: Measurement) =>
      setFollowed((known) => ({ systemId, measurements: withMeasurement(known.systemId === systemId ? known.measurements : [], next) }))
    const following = followMeasurements(systemId, add)
    following.catch((error: unknown) => setFollowed({ systemId, measurements: [], error }))
    // What was never followed need not be left; a stream that is gone already is left.
    return () => void following.then((leave) => leave()).catch(() => undefined)
  }, [systemId, isOn, isSeen])

  return useMemo(() => {
    if (!isOn) return { kind: 'off' }
    if (followed.systemId !== systemId || (followed.measurements.length === 0 && followed.error === undefined)) return { kind: 'waiting' }
    if (followed.error !== undefined) return { kind: 'failed', error: followed.error }
    const { measurements } = followed
    return { kind: 'on', frames: { system: liveFrame(measurements, 'system'), containers: liveFrame(measurements, 'containers') } }
  }, [isOn, followed, systemId])
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
