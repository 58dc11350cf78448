import { Hono, type Context } from 'hono'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { removeUserAlerts, setUserAlerts } from '../rules/user-alerts.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { signedIn, type RequestContext } from '../../http/requests/request-context.ts'

/** One alert of the one who asks, on many systems at once. */
export function userAlertsRoute(engine: Engine): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .post('/api/beszel/user-alerts', async (c) => {
      const { actor, proof } = signedIn(c)
      const data = await readData(c)
      // An account of `_superusers` alone has no alerts.
      if (proof.collection.viewOf === undefined) await setUserAlerts(engine, factsOf(c), actor, data)
      return c.json({ success: true })
    })
    .delete('/api/beszel/user-alerts', async (c) => {
      const { actor } = signedIn(c)
      return c.json({ success: true, count: await removeUserAlerts(engine, actor, await readData(c)) })
    })
}

async function readData(c: Context<RequestContext>): Promise<Body> {
  try {
    return await readBody(c)
  } catch (error) {
    throw error instanceof RecordError && error.status === 400 ? badRequest('Bad data.') : error
  }
}
