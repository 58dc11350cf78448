import { keepPreviousData } from '@tanstack/react-query'
import type { Column } from '../format/column.ts'
import { serverQuery } from './server-query.ts'
import type { RuleLevels } from './system-alerts.ts'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'

/**
 * Time range in the past in which a previewed alert rule would have fired, in epoch ms, with the measured value and the affected part.
 * `endedMs` is `undefined` when it would still be firing.
 */
export type Episode = {
  readonly beganMs: number
  readonly endedMs: number | undefined
  readonly value: number | undefined
  readonly target: string | undefined
}

export type AlertPreview = {
  /** Start of the time range for which the alert rule is previewed, in epoch ms; not before the system's first stored sample. */
  readonly fromMs: number
  /** End of the time range for which the alert rule is previewed, in epoch ms. */
  readonly toMs: number
  /**
   * Number of minutes in the previewed time range for which the hub has stored values. The preview says nothing about the other minutes.
   */
  readonly minutes: number
  readonly episodes: readonly Episode[]
  /**
   * Values for the preview's line chart: list of the quantity that the alert compares, at equal time steps from `fromMs` to `toMs`. Null
   * where no value is stored.
   */
  readonly line: Column
}

export type PreviewedRule = {
  readonly system: string
  readonly name: string
  /** Name of the part of the system that the previewed alert watches, such as a container; `undefined` for the whole system. */
  readonly target: string | undefined
  readonly value: number
  readonly minutes: number
  /** Further thresholds of the previewed rule; `undefined` for a rule with one threshold. */
  readonly levels: RuleLevels | undefined
}

async function fetchAlertPreview(rule: PreviewedRule, signal: AbortSignal): Promise<AlertPreview> {
  const { system, name, target = '', value, minutes, levels } = rule
  const query = new URLSearchParams({ system, name, target, value: String(value), min: String(minutes) })
  const more = { clear: levels?.clear, warning: levels?.warning, warningMin: levels?.warningMinutes }
  for (const [parameter, number] of Object.entries(more)) if (number !== undefined) query.set(parameter, String(number))
  const answer = recordOf(await getJson(`/api/vedette/alerts/preview?${query.toString()}`, signal))
  const toMs = numberOf(answer['to']) ?? Date.now()
  return {
    fromMs: numberOf(answer['from']) ?? toMs,
    toMs,
    minutes: numberOf(answer['minutes']) ?? 0,
    line: listOf(answer['line']).map((value) => numberOf(value) ?? null),
    episodes: listOf(answer['episodes']).flatMap((item) => {
      const { began, ended, value: measured, target } = recordOf(item)
      const beganMs = numberOf(began)
      return beganMs === undefined ? [] : [{ beganMs, endedMs: numberOf(ended), value: numberOf(measured), target: textOf(target) }]
    }),
  }
}

const keyOf = ({ system, name, target, value, minutes, levels }: PreviewedRule) => [
  'alert-preview',
  system,
  name,
  target,
  value,
  minutes,
  levels,
]

const PREVIEW_FRESH_MS = 60_000

/**
 * TanStack Query options for a preview of an alert rule. The data is an `AlertPreview` with the time ranges in the past in which the rule
 * would have fired. The previous preview stays visible while the next one loads.
 */
export const alertPreviewQuery = (rule: PreviewedRule) =>
  serverQuery(keyOf(rule), (signal) => fetchAlertPreview(rule, signal), {
    staleTime: PREVIEW_FRESH_MS,
    placeholderData: keepPreviousData,
  })
