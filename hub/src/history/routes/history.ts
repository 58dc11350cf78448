import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { Hono } from 'hono'
import type { Clock } from '../../platform/clock.ts'
import { columnsBytes, COLUMNS_TYPE } from '../read/columns-bytes.ts'
import { columnsJson, isOfKind, storedKindOf } from '../read/columns.ts'
import { parseColumnsQuery } from '../read/history-query.ts'
import type { History } from '../model/history.ts'
import { tierFor } from '../model/tier.ts'
import type { Access } from '../../records/engine/access.ts'
import { RecordError } from '../../records/model/record-error.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

type HistoryParts = { readonly access: Access; readonly history: History; readonly clock: Clock }

/** Any window of one system's history, as columns, in the finest resolution that fits the points asked for. */
export function historyRoute({ access, history, clock }: HistoryParts): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/history/:system', async (c) => {
    const system = await access.viewable(c.var.actor, 'systems', c.req.param('system'))
    const parsed = parseColumnsQuery(c.req.query(), clock.now())
    if (!parsed.ok) throw new RecordError(400, 'Failed to read the history.', asFieldErrors(parsed.problems))
    const { window, points, kind } = parsed.query
    const tier = tierFor(window, points, await history.keptFrom())
    const isWanted = (key: SeriesKey): boolean => isOfKind(key, kind)
    const [found] = await history.read({ systems: [system.id], kind: storedKindOf(kind), tier, window, isWanted })
    const headers = { 'cache-control': 'private, no-store', vary: 'Accept' }
    if (!wantsBytes(c.req.header('accept'))) {
      return c.body(columnsJson(found, kind, tier, window), 200, { ...headers, 'content-type': 'application/json' })
    }
    return c.body(new Uint8Array(columnsBytes(found, kind, tier, window)), 200, { ...headers, 'content-type': COLUMNS_TYPE })
  })
}

const wantsBytes = (accept = ''): boolean => accept.split(',').some((type) => type.split(';', 1)[0]?.trim() === COLUMNS_TYPE)

const asFieldErrors = (problems: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(problems).map(([name, message]) => [name, { code: 'validation_invalid_value', message }]))
