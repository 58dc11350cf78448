import { Hono } from 'hono'
import type { RecordStore } from '../../records/model/record-store.ts'
import { exportSystems } from '../enrolment/export-systems.ts'
import { askedByAdmin, askedByPerson, type RequestContext } from '../../http/requests/request-context.ts'

/** All systems as a config.yml, with tokens. Admins only. */
export function configYamlRoute(records: RecordStore): Hono<RequestContext> {
  return new Hono<RequestContext>().get('/api/beszel/config-yaml', async (c) => {
    askedByPerson(c)
    askedByAdmin(c)
    return c.json({ config: await exportSystems(records) }, 200, { 'cache-control': 'no-store' })
  })
}
