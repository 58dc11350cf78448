import { z } from 'zod'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import { listedHub, type HubList } from '../health/hub-list.ts'

type HubParts = { readonly engine: Pick<Engine, 'database' | 'clock'>; readonly hubList: HubList }

export const listHubs = defineRoute('GET /api/vedette/hubs', {
  tag: 'back-office',
  summary: 'The hubs that share the database, with their version, systems and load; empty for a hub on SQLite',
  access: 'admin',
  response: z.object({ items: z.array(listedHub) }),
  headers: { 'cache-control': 'private, no-store' },
  handle: async (_, { hubList }: HubParts) => ({ items: [...(await hubList.load())] }),
})

export const drainHub = defineRoute('POST /api/vedette/hubs/:id/drain', {
  tag: 'back-office',
  summary: 'Lets a hub give its systems to the others, such as before an upgrade',
  access: 'admin',
  response: 'nothing',
  handle: ({ actor, params: { id } }, parts: HubParts) => setDraining(parts, { by: actor, id, isDraining: true }),
})

export const endDrainOfHub = defineRoute('DELETE /api/vedette/hubs/:id/drain', {
  tag: 'back-office',
  summary: 'Lets a drained hub take systems again',
  access: 'admin',
  response: 'nothing',
  handle: ({ actor, params: { id } }, parts: HubParts) => setDraining(parts, { by: actor, id, isDraining: false }),
})

type DrainChange = { readonly by: StoredRecord; readonly id: string; readonly isDraining: boolean }

async function setDraining({ engine, hubList }: HubParts, { by, id, isDraining }: DrainChange): Promise<void> {
  await engine.database.write(async (unit) => {
    const name = await hubList.setDraining(unit, id, isDraining)
    if (name === undefined) throw notFound('There is no such hub.')
    await noteInAudit(unit, engine.clock.now(), { by, action: isDraining ? 'drain' : 'end drain', target: 'hubs', id, name })
  })
}
