import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { keys } from '../../api/keys.ts'
import { rulePreviewsQuery } from '../../api/rule-previews.ts'
import type { SeriesFrame } from '../../chart/series-frame.ts'
import { serverQuery } from '../../api/server-query.ts'
import type { ChartSpan } from '../../api/stats.ts'
import { previousOfSystem, systemEventsQuery } from '../../api/system-events.ts'
import type { System } from '../../api/system-record.ts'
import type { ChartMark } from '../../chart/chart-marks.ts'
import { useLanguage } from '../../preferences/use-preferences.ts'
import { useNow } from '../../ui/use-now.ts'
import * as words from '../../words/messages.js'
import { happeningsIn, machineStart, type Happening } from './happenings.ts'

const looks: Readonly<Record<Happening['kind'] | 'alert', { readonly label: () => string; readonly colour: string }>> = {
  alert: { label: words.mark_alert, colour: '--warn' },
  restart: { label: words.mark_restart, colour: '--warn' },
  down: { label: words.mark_down, colour: '--crit' },
  paused: { label: words.mark_paused, colour: '--text-faint' },
  hub: { label: words.mark_hub, colour: '--text-faint' },
  silence: { label: words.mark_silence, colour: '--text-faint' },
  exit: { label: words.mark_exit, colour: '--warn' },
  'out-of-memory': { label: words.mark_out_of_memory, colour: '--crit' },
}

/**
 * Id, `engine`, of the data source (Docker or Podman) of container charts. Events of containers are marked only on charts of this source.
 */
const CONTAINER_CHARTS = 'engine'

const AGE_INTERVAL_MS = 60_000

const none: readonly ChartMark[] = []

/**
 * Divisor, 100, of the length of a time window that the user selected. The result counts as the interval of its points: charts mark a gap
 * after the last point if it is at least 2.5 such intervals long.
 */
const WINDOW_INTERVALS = 100

/**
 * Returns a container's event as a mark for container charts only, with the container's name and exit code as its reason (`why`). An event
 * of the system is returned unchanged.
 */
function withContainer({ container, ...happening }: Happening): Omit<Happening, 'container'> & { readonly source?: string } {
  if (container === undefined) return happening
  const { name, exitCode } = container
  const why = exitCode === undefined ? name : words.mark_exit_code({ name, code: exitCode })
  return { ...happening, why, source: CONTAINER_CHARTS }
}

/**
 * React hook: returns the given event marks. If they equal those of the last rendering, it returns the previous array, because charts
 * redraw for each new array.
 */
function useStableMarks(marks: readonly ChartMark[]): readonly ChartMark[] {
  const [kept, setKept] = useState(marks)
  if (kept === marks || JSON.stringify(kept) === JSON.stringify(marks)) return kept
  setKept(marks)
  return marks
}

/**
 * React hook: returns `data`, such as loaded events. While that is `undefined` (as after a failed reload), it returns the last data of the
 * same system.
 */
function useLastData<T>(systemId: string, data: T | undefined): T | undefined {
  const [last, setLast] = useState({ systemId, data })
  if (last.systemId === systemId && (data === undefined || data === last.data)) return last.data
  setLast({ systemId, data })
  return data
}

/**
 * React hook: returns the boot time of the system's machine in epoch ms; `undefined` when unknown. It does not change with small
 * differences between samples that rounding causes.
 */
function useMachineStart({ latest }: System): number | undefined {
  const [knownMs, setKnownMs] = useState<number>()
  const startMs = machineStart(latest, knownMs)
  if (startMs !== knownMs) setKnownMs(startMs)
  return startMs
}

/**
 * TanStack Query options for the list of periods in a time range in which the user's alerts on a system fired. The code that fetches them
 * is loaded on the first request.
 */
const firedAlertsQuery = (systemId: string, window: { readonly fromMs: number; readonly toMs: number | undefined }) =>
  serverQuery(
    keys.firedAlerts(systemId, window),
    async (signal) => (await import('./fired-alerts.ts')).fetchFiredAlerts(systemId, window, signal),
    { placeholderData: previousOfSystem(systemId), gcTime: 0, retry: false, refetchInterval: AGE_INTERVAL_MS },
  )

/**
 * React hook: returns the list of all event marks for the charts of a system's page: events, fired alerts, and previews of edited alert
 * rules. Empty until the charts have series (`frame`).
 */
export function useMarks(system: System, span: ChartSpan, frame: SeriesFrame | undefined): readonly ChartMark[] {
  // While a window is panned, the frame is still the previous one.
  const window = span.kind === 'window' ? span.window : { fromMs: frame?.fromMs ?? 0, toMs: undefined }
  const isEnabled = frame !== undefined
  const events = useLastData(system.id, useQuery({ ...systemEventsQuery(system.id, system.status, window), enabled: isEnabled }).data)
  const alerts = useLastData(system.id, useQuery({ ...firedAlertsQuery(system.id, window), enabled: isEnabled }).data)
  const { data: previews } = useQuery(rulePreviewsQuery(system.id))
  const nowMs = useNow(AGE_INTERVAL_MS)
  const startMs = useMachineStart(system)
  const { status } = system
  const language = useLanguage()
  const marks = useMemo(() => {
    if (frame === undefined) return none
    const intervalMs = span.kind === 'range' ? span.range.intervalMs : (frame.toMs - frame.fromMs) / WINDOW_INTERVALS
    const happenings = happeningsIn({ status, startMs, frame, events: events ?? undefined, intervalMs, nowMs })
    const fired = (alerts ?? []).map(({ fromMs, toMs = nowMs, label }) => ({ kind: 'alert', fromMs, toMs, why: label() }) as const)
    const wouldHave = Object.values(previews ?? {}).flatMap(({ source, episodes }) =>
      episodes.map(({ fromMs, toMs = nowMs }) => ({
        fromMs,
        toMs,
        source,
        label: words.mark_previewed(),
        colour: '--crit',
        isPreview: true,
      })),
    )
    const happened = [...happenings.map(withContainer), ...fired].map(({ kind, why, ...times }) => {
      const label = looks[kind].label()
      return { ...times, label: why === undefined ? label : `${label}: ${why}`, colour: looks[kind].colour }
    })
    return [...happened, ...wouldHave]
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the messages of the labels read the language themselves
  }, [status, startMs, span, frame, events, alerts, previews, nowMs, language])
  return useStableMarks(marks)
}
