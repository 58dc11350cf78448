import { z } from 'zod'
import type { History } from '../../history/model/history.ts'
import { DAY_MS } from '../../history/model/tier.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Access } from '../../records/engine/access.ts'
import { levelKind, levelKinds } from '../judging/alert-kinds.ts'
import { severities, watchedReadings } from '../judging/judgement.ts'
import { readReadings, previewEpisodes, sketch, type Episode } from '../rules/alert-preview.ts'

type PreviewParts = { readonly access: Access; readonly history: History; readonly engine: { readonly clock: Clock } }

const MOST_DAYS = 30
const MOST_MINUTES = 60
/** Number of values of the chart line in the response with an alert preview: 240. */
const LINE_POINTS = 240

/**
 * Returns a schema that parses a number in the query string. Blank text gives `standard`, by default NaN. A number (also `standard`) for
 * which `fits` returns false gives an error with the text `message`.
 */
function numberFrom(fits: (value: number) => boolean, message: string, standard = Number.NaN) {
  return z
    .string()
    .default('')
    .transform((text) => (text.trim() === '' ? standard : Number(text)))
    .refine(fits, message)
}

/** Schema of an optional number in the query string, such as `clear`. Blank text gives `undefined`. */
const optionalNumber = z
  .string()
  .default('')
  .transform((text) => (text.trim() === '' ? undefined : Number(text)))
  .refine((value) => value === undefined || Number.isFinite(value), 'Must be a number.')

const wholeTo = (most: number, standard?: number) =>
  numberFrom((value) => Number.isInteger(value) && value >= 1 && value <= most, `Must be a whole number from 1 to ${most}.`, standard)

const previewQuery = z
  .object({
    system: z.string().default(''),
    name: z
      .string()
      .default('')
      .refine((name) => levelKind(name) !== undefined, `Must be one of ${levelKinds.map(({ name }) => name).join(', ')}.`),
    target: z.string().default(''),
    value: numberFrom(Number.isFinite, 'Must be a number.'),
    min: wholeTo(MOST_MINUTES),
    clear: optionalNumber,
    warning: optionalNumber,
    warningMin: wholeTo(MOST_MINUTES, 1),
    days: wholeTo(MOST_DAYS, 30),
  })
  .superRefine(({ name, target }, context) => {
    const kind = levelKind(name)
    if (kind === undefined || (kind.isOfOne === true) === (target !== '')) return
    context.addIssue({ code: 'custom', path: ['target'], message: target === '' ? 'Cannot be blank.' : 'Must be empty.' })
  })

const shownEpisode = ({ beganMs, endedMs, ...episode }: Episode) => ({ began: beganMs, ended: endedMs ?? null, ...episode })

export const readAlertPreview = defineRoute('GET /api/vedette/alerts/preview', {
  tag: 'alerts',
  summary:
    'When an alert would have fired in the last days, up to 30, by the stored minutes, and a line of the measured values, forecasts or rates. `began`, `ended`, `from` and `to` in epoch milliseconds',
  access: { door: 'signed in', decidedBy: 'the view rule of systems' },
  keys: 'read',
  query: previewQuery,
  invalid: 'Failed to preview the alert.',
  response: z.object({
    from: z.number(),
    to: z.number(),
    minutes: z.number(),
    episodes: z.array(
      z.object({ began: z.number(), ended: z.number().nullable(), value: z.number(), target: z.string(), severity: z.enum(severities) }),
    ),
    line: z.array(z.number().nullable()),
  }),
  async handle({ c, query }, { access, history, engine: { clock } }: PreviewParts) {
    const { name, target, value: threshold, min: minutes, days, clear, warning, warningMin } = query
    const kind = levelKind(name)
    if (kind === undefined) throw new TypeError(`Cannot preview "${name}"`)
    const system = await access.viewable(factsOf(c), 'systems', query.system)
    const toMs = clock.now()
    const rule = { threshold, minutes, clear, ...(warning === undefined ? {} : { warning: { threshold: warning, minutes: warningMin } }) }
    const kept = await history.keptFrom()
    const fromMs = Math.max(toMs - days * DAY_MS, kept[kind.trend === 'forecast' ? '10m' : '1m'])
    if (kind.trend !== undefined) {
      const { previewTrends } = await import('../trends/trend-preview.ts')
      const past = { system: system.id, kind, rule, window: { fromMs, toMs }, count: LINE_POINTS }
      const { fromMs: from, minutes: known, episodes, line } = await previewTrends(history, past)
      return { from, to: toMs, minutes: known, episodes: episodes.map(shownEpisode), line }
    }
    const readings = watchedReadings(await readReadings(history, { system: system.id, kind, window: { fromMs, toMs } }), kind, target)
    const episodes = previewEpisodes(kind, rule, readings).map(shownEpisode)
    // A new system has readings for a part of the window only.
    const window = { fromMs: readings.times[0] ?? fromMs, toMs }
    const line = sketch(readings, kind, { window, count: LINE_POINTS })
    return { from: window.fromMs, to: toMs, minutes: readings.times.length, episodes, line }
  },
})
