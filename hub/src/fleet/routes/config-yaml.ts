import { z } from 'zod'
import type { RecordStore } from '../../records/model/record-store.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { exportSystems } from '../enrolment/export-systems.ts'

export const readConfigYaml = defineRoute('GET /api/beszel/config-yaml', {
  tag: 'agents',
  summary: 'All systems as a config.yml, with their tokens',
  access: 'person who is an admin',
  response: z.object({ config: z.string() }),
  headers: { 'cache-control': 'no-store' },
  handle: async (_, { engine }: { readonly engine: { readonly store: RecordStore } }) => ({ config: await exportSystems(engine.store) }),
})
