import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** What happened, as its owner reads it. Times are epoch milliseconds; `ended` is null while it lasts. */
export type ListedIncident = {
  readonly id: string
  readonly alert: string
  readonly system: string
  readonly systemName: string
  /** The alert's name. */
  readonly name: string
  readonly target: string
  readonly threshold: number
  readonly minutes: number
  /** What was measured when it began; null for what is no number. */
  readonly value: number | null
  readonly began: number
  readonly ended: number | null
  readonly ending: '' | 'resolved' | 'closed'
}

/** Whose: an admin sees every system, others those that are shared with them now. */
export type Whose = { readonly owner: string; readonly isAdmin: boolean }

export type IncidentQuery = Whose & {
  readonly system?: string | undefined
  /** Only what lasts, or only what is over. */
  readonly state?: 'firing' | 'over' | undefined
  /** Part of a system's or an alert's name. */
  readonly search?: string | undefined
  /** That touch this time; epoch milliseconds. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** The id after which to go on. */
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

/** An alert and how often it has fired. */
export type NoisyAlert = {
  readonly alert: string
  readonly system: string
  readonly systemName: string
  readonly name: string
  /** The one part of the system that it is about; `''` for the whole. */
  readonly target: string
  readonly count: number
}

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
