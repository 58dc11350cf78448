import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { z } from 'zod'
import { windowOf } from '../../http/routing/field-schemas.ts'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Access } from '../../records/engine/access.ts'
import type { History } from '../model/history.ts'
import { tierFor } from '../model/tier.ts'
import { columnKinds, COLUMNS_TYPE, columnsBytes, columnsJson, columnsSchema, isOfKind, storedKindOf } from '../read/columns.ts'

type HistoryParts = { readonly access: Access; readonly history: History; readonly engine: { readonly clock: Clock } }

const HOUR_MS = 3_600_000
const STANDARD_POINTS = 1000
/** Maximum number of series keys in the query parameter `series` of a history request: 32. More are rejected with 400. */
const MOST_SERIES = 32
const LONGEST_SERIES = 4_000
/**
 * Maximum value of the query parameter `points`, the number of times in a response: 11,000. A larger value is rejected with 400. A week of
 * minutes (10,080) fits, and no screen shows more.
 */
const MOST_POINTS = 11_000

const invalid = 'Failed to read the history.'
const natural = (fits: (value: number) => boolean, message: string) =>
  z
    .string()
    .regex(/^\d{0,16}$/, 'Must be a whole number.')
    .transform((text) => (text === '' ? undefined : Number(text)))
    .refine((value) => value === undefined || fits(value), message)
    .optional()
const time = natural(() => true, '')
const historyQuery = z.object({
  from: time,
  to: time,
  points: natural((points) => points >= 1 && points <= MOST_POINTS, `Must be from 1 to ${MOST_POINTS}.`),
  kind: z.enum(columnKinds, `Must be one of ${columnKinds.join(', ')}.`).default('system'),
  series: z
    .string()
    .max(LONGEST_SERIES, `Must be at most ${LONGEST_SERIES} characters.`)
    .transform((text) => (text === '' ? undefined : new Set(text.split(','))))
    .refine((keys) => keys === undefined || keys.size <= MOST_SERIES, `Must be at most ${MOST_SERIES} keys.`)
    .optional(),
})

export const readHistory = defineRoute('GET /api/history/:system', {
  tag: 'history',
  summary:
    "Any time window of a system's history as columns, in the finest resolution that fits `points`; `from` and `to` in epoch milliseconds; `series` names keys, separated by commas, and without it all of the kind are meant",
  access: { door: 'anyone', decidedBy: 'the view rule of systems' },
  keys: 'read',
  query: historyQuery,
  invalid,
  response: columnsSchema,
  async handle({ c, params, query }, { access, history, engine: { clock } }: HistoryParts) {
    const system = await access.viewable(factsOf(c), 'systems', params.system)
    const { points = STANDARD_POINTS, kind, series } = query
    const window = windowOf(query, { nowMs: clock.now(), lengthMs: HOUR_MS, invalid })
    const tier = tierFor(window, points, await history.keptFrom())
    const isWanted = (key: SeriesKey): boolean => isOfKind(key, kind) && series?.has(key) !== false
    const [found] = await history.read({ systems: [system.id], kind: storedKindOf(kind), tier, window, isWanted })
    const headers = { 'cache-control': 'private, no-store', vary: 'Accept' }
    if (!wantsBytes(c.req.header('accept'))) {
      return c.body(columnsJson(found, kind, tier, window), 200, { ...headers, 'content-type': 'application/json' })
    }
    return c.body(new Uint8Array(columnsBytes(found, kind, tier, window)), 200, { ...headers, 'content-type': COLUMNS_TYPE })
  },
})

const wantsBytes = (accept = ''): boolean => accept.split(',').some((type) => type.split(';', 1)[0]?.trim() === COLUMNS_TYPE)
