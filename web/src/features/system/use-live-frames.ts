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
      /** Time of the newest one-second sample, in epoch ms. */
      readonly lastMs: number
      /** True when no one-second sample has arrived for 5 s, because the agent or the connection to it is gone. */
      readonly isStale: boolean
    }

/** Age of the last one-second sample, 5,000 ms, from which live charts are shown as interrupted. */
const STALE_MS = 5_000

type LiveFrames = Readonly<Record<StatsKind, SeriesFrame>>

type Followed = {
  readonly systemId: string
  readonly measurements: readonly Measurement[]
  /** Time series of the one-second samples for the host charts and the container charts; `undefined` before the first sample. */
  readonly frames?: LiveFrames
  readonly error?: unknown
}

/**
 * Subscribes to a system's one-second samples and calls `onChange` with each change of the live state. The code for it is loaded on the
 * first call. Resolves with the function that unsubscribes.
 */
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

/**
 * React hook: subscribes to a system's one-second samples while `isOn` and the browser tab is visible. Returns the state of live charts
 * (`off`, `waiting`, `failed` or `on`) with the series of the samples.
 */
export function useLiveFrames(systemId: string, isOn: boolean): Live {
  const isSeen = useIsSeen()
  const [followed, setFollowed] = useState<Followed>({ systemId, measurements: [] })
  useEffect(() => {
    if (!isOn || !isSeen) return
    const following = follow(systemId, setFollowed)
    following.catch((error: unknown) => setFollowed({ systemId, measurements: [], error }))
    // Without a subscription or connection there is nothing to unsubscribe.
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

/**
 * React hook: returns true when live charts are on (`isFollowed`) and the last of the one-second samples `measurements` is at least 5 s
 * old. False before the first sample.
 */
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
