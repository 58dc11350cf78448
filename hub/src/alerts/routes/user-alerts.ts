import type { Context } from 'hono'
import { z } from 'zod'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf, type RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute, type RouteBody } from '../../http/routing/define-route.ts'
import { sentFields, type SentType } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { removeUserAlerts, setUserAlerts } from '../rules/user-alerts.ts'

type AlertParts = { readonly engine: Engine }

export const setAlerts = defineRoute('POST /api/beszel/user-alerts', {
  tag: 'alerts',
  summary: 'Sets one alert of the caller on several systems',
  access: 'signed in',
  keys: 'write',
  body: alertBody({ value: 'number', min: 'number', overwrite: 'boolean' }),
  response: z.object({ success: z.boolean() }),
  async handle({ c, actor, proof, body }, { engine }: AlertParts) {
    const data = await body()
    // An account that exists only in `_superusers` cannot own alerts.
    if (proof.collection.viewOf === undefined) await setUserAlerts(engine, factsOf(c), actor, data)
    return { success: true }
  },
})

export const removeAlerts = defineRoute('DELETE /api/beszel/user-alerts', {
  tag: 'alerts',
  summary:
    'Removes one alert of the caller from several systems, and turns it off where a policy sets it; with `inherit` the policy applies',
  access: 'signed in',
  keys: 'write',
  body: alertBody({ inherit: 'boolean' }),
  response: z.object({ success: z.boolean(), count: z.number() }),
  async handle({ c, actor, body }, { engine }: AlertParts) {
    const sent = await body()
    return { success: true, count: await removeUserAlerts(engine, factsOf(c, sent), actor, sent) }
  },
})

function alertBody(more: Readonly<Record<string, SentType>> = {}): RouteBody<Body> {
  return { schema: sentFields({ name: 'string', target: 'string', systems: 'texts', ...more }), read: readData }
}

/**
 * Reads the JSON body of a request that changes a user's alerts, and resolves to it. Rejects with 400 "Bad data." for an unreadable body,
 * as existing clients expect.
 */
async function readData(c: Context<RequestContext>): Promise<Body> {
  try {
    return await readBody(c)
  } catch (error) {
    throw error instanceof RecordError && error.status === 400 ? badRequest('Bad data.') : error
  }
}
