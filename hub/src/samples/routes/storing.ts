import { z } from 'zod'
import type { Storing } from '../sample-pipeline.ts'
import { defineRoute } from '../../http/routing/define-route.ts'

export const readStoring = defineRoute('GET /api/vedette/storing', {
  tag: 'history',
  summary: 'Whether samples are being stored, and if not why and since when; changes are the realtime topic `storing`',
  access: 'signed in',
  response: z.union([
    z.object({ state: z.literal('storing') }),
    z.object({ state: z.literal('paused'), reason: z.string(), sinceMs: z.number() }),
  ]),
  handle: (_, { storing }: { readonly storing: () => Storing }) => storing(),
})
