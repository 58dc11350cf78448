import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Database } from '../../platform/db/database.ts'
import { listAudit } from '../../records/writing/audit-log.ts'
import { recordDate } from '../../records/model/stored-record.ts'
import { defineRoute } from '../../http/routing/define-route.ts'

/**
 * Returns a schema that parses a query parameter as whole number from 1. A number above `most` gives `most`; any other text, or no
 * parameter, gives `standard`.
 */
const wholeNumberOr = (standard: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(1))
    .catch(standard)
    .transform((value) => Math.min(value, most))

const count = z.number().int()

const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  actorName: z.string(),
  action: z.string(),
  target: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  /** Changed fields in an entry of the audit log: a JSON object from field name to a pair of old and new value. */
  changes: z.custom<Json>(),
})

export const listAuditLog = defineRoute('GET /api/vedette/audit', {
  tag: 'back-office',
  summary: 'Administrative changes, newest first',
  access: 'admin',
  query: z.object({
    page: wholeNumberOr(1, 1e9),
    perPage: wholeNumberOr(30, 500),
    actor: z.string().default(''),
    target: z.string().default(''),
    targetId: z.string().default(''),
  }),
  response: z.object({ page: count, perPage: count, totalItems: count, totalPages: count, items: z.array(auditEntry) }),
  async handle({ query }, { engine }: { readonly engine: { readonly database: Pick<Database, 'kysely'> } }) {
    const { page, perPage } = query
    const { items, total } = await listAudit(engine.database.kysely, query)
    return {
      page,
      perPage,
      totalItems: total,
      totalPages: Math.ceil(total / perPage),
      items: items.map(({ no, atMs, ...entry }) => ({ id: String(no), at: recordDate(atMs), ...entry })),
    }
  },
})
