import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/db/database.ts'

/** An incident as its owner reads it. Times are epoch milliseconds; `ended` is null while the incident is open. */
export const listedIncident = z.object({
  id: z.string(),
  alert: z.string(),
  system: z.string(),
  systemName: z.string(),
  /** The alert's name. */
  name: z.string(),
  target: z.string(),
  threshold: z.number(),
  minutes: z.number(),
  /** The measured value at the beginning; null for alerts without a numeric value. */
  value: z.number().nullable(),
  began: z.number(),
  ended: z.number().nullable(),
  ending: z.enum(['', 'resolved', 'closed']),
})
type ListedIncident = Readonly<z.infer<typeof listedIncident>>

/** The owner of the incidents. An admin reads them for every system, other people only for systems shared with them now. */
export type Whose = { readonly owner: string; readonly isAdmin: boolean }

export type IncidentQuery = Whose & {
  readonly system?: string | undefined
  /** Only open incidents, or only ended ones. */
  readonly state?: 'firing' | 'over' | undefined
  /** Text in the name of a system, in the alert's name or in its target. */
  readonly search?: string | undefined
  /** Only incidents that overlap this time range; epoch milliseconds. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** Id of the last incident of the previous page. */
  readonly after?: string | undefined
  readonly most: number
}

/** A person's incidents, the newest first. */
export async function listIncidents(database: Database, query: IncidentQuery): Promise<readonly ListedIncident[]> {
  const { owner, system, state, search, fromMs, toMs, after, most } = query
  const { contains, textParameter } = database.dialect
  const conditions = [
    ...ownAndShared(database, query),
    ...(system === undefined ? [] : [sql`i.system = ${system}`]),
    ...(state === undefined ? [] : [state === 'firing' ? sql`i.ended is null` : sql`i.ended is not null`]),
    ...(search === undefined ? [] : [contains(sql`s.name || ' ' || i.kind || ' ' || i.target`, textParameter(search))]),
    ...(fromMs === undefined ? [] : [sql`(i.ended is null or i.ended >= ${fromMs})`]),
    ...(toMs === undefined ? [] : [sql`i.began < ${toMs}`]),
    ...(after === undefined ? [] : [sql`(i.began, i.id) < (select began, id from incidents where id = ${after} and owner = ${owner})`]),
  ]
  const { rows } = await sql<ListedIncident>`
    select i.id, i.alert, i.system, s.name as "systemName", i.kind as name, i.target, i.threshold, i.minutes, i.value, i.began, i.ended, i.ending
    from incidents as i join systems as s on s.id = i.system
    where ${sql.join(conditions, sql` and `)} order by i.began desc, i.id desc limit ${most}`.execute(database.kysely)
  return rows
}

const ownAndShared = ({ dialect }: Database, { owner, isAdmin }: Whose) => [
  sql`i.owner = ${owner}`,
  ...(isAdmin ? [] : [dialect.holdsId(sql`s.users`, owner)]),
]

/** An alert and how often it has fired. `target` is the one part of the system that it watches; `''` for the whole system. */
export const noisyAlert = listedIncident
  .pick({ alert: true, system: true, systemName: true, name: true, target: true })
  .extend({ count: z.number() })
type NoisyAlert = Readonly<z.infer<typeof noisyAlert>>

/** A person's alerts that fired most since a time, the noisiest first. */
export async function listNoisy(
  database: Database,
  whose: Whose,
  { sinceMs, most }: { readonly sinceMs: number; readonly most: number },
): Promise<readonly NoisyAlert[]> {
  const conditions = [...ownAndShared(database, whose), sql`i.began >= ${sinceMs}`]
  const { rows } = await sql<NoisyAlert>`
    select i.alert, i.system, s.name as "systemName", i.kind as name, coalesce(a.target, '') as target, count(*) as count
    from incidents as i join systems as s on s.id = i.system left join alerts as a on a.id = i.alert
    where ${sql.join(conditions, sql` and `)}
    group by i.alert, i.system, s.name, i.kind, a.target order by count(*) desc, s.name, i.kind, a.target limit ${most}`.execute(
    database.kysely,
  )
  return rows
}
