import { Hono } from 'hono'
import { addQuietHours, changeOwnSettings, changeQuietZone, listQuietHours } from '../../alerts/notifications/own-quiet-hours.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { loadPersonSettings, parseSettingsChange } from '../../alerts/notifications/person-settings.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { askedByPerson, type RequestContext } from '../../http/requests/request-context.ts'

/**
 * A person's own settings, also of an admin, to whom the records API shows everybody's. Changes lose nothing of what another browser
 * stored meanwhile.
 */
export function ownSettingsRoute(engine: Engine): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/account/settings', async (c) => c.json({ settings: await loadPersonSettings(engine, askedByPerson(c).actor.id) }))
    .patch('/api/account/settings', async (c) => {
      const { actor } = askedByPerson(c)
      const change = parseSettingsChange(await readBody(c))
      const settings = await changeOwnSettings(engine, actor.id, change)
      return c.json({ settings })
    })
    .get('/api/account/quiet-hours', async (c) => c.json(await listQuietHours(engine, askedByPerson(c).actor.id)))
    .post('/api/account/quiet-hours', async (c) => {
      const { actor } = askedByPerson(c)
      return c.json(await addQuietHours(engine, actor.id, factsOf(c), await readBody(c)))
    })
    .patch('/api/account/quiet-hours', async (c) => {
      const { actor } = askedByPerson(c)
      return c.json(await changeQuietZone(engine, actor.id, await readBody(c)))
    })
}
