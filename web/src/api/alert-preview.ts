import { keepPreviousData } from '@tanstack/react-query'
import type { Column } from '../format/column.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { getJson } from './client.ts'
import { listOf, numberOf, recordOf, textOf } from './json.ts'

/** When an alert would have fired: epoch ms; `endedMs` is undefined where it still would. */
export type Episode = {
  readonly beganMs: number
  readonly endedMs: number | undefined
  readonly value: number | undefined
  readonly target: string | undefined
}

export type AlertPreview = {
  /** Time range with history of the system, epoch ms. */
  readonly fromMs: number
  readonly toMs: number
  /** How many minutes were measured in it. */
  readonly minutes: number
  readonly episodes: readonly Episode[]
  /** Measured values, one for each of the equal parts of the window. */
  readonly line: Column
}

export type PreviewedRule = {
  readonly system: string
  readonly name: string
  /** The one part of the system that the alert is about. */
  readonly target: string | undefined
  readonly value: number
  readonly minutes: number
}

async function fetchAlertPreview({ system, name, target = '', value, minutes }: PreviewedRule, signal: AbortSignal): Promise<AlertPreview> {
  const query = new URLSearchParams({ system, name, target, value: String(value), min: String(minutes) })
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

const PREVIEW_FRESH_MS = 60_000

/** A preview: how often a rule would have fired in the past. The last preview is shown until the next one is read. */
export const alertPreviewQuery = (rule: PreviewedRule) =>
  serverQuery(keys.alertPreview(rule), (signal) => fetchAlertPreview(rule, signal), {
    staleTime: PREVIEW_FRESH_MS,
    placeholderData: keepPreviousData,
  })
