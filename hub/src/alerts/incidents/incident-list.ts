import { sql } from 'kysely'
import { z } from 'zod'
import type { Engine } from '../../records/engine/engine.ts'
import { severities } from '../judging/judgement.ts'
import { escalatedTo, isEscalation, isOwn, isOwnOrEscalated } from './incident-access.ts'
import type { RequestFacts } from '../../records/filter/filter-names.ts'
import { isVisibleSystem } from '../../records/reading/visible-records.ts'

/** Schema of an incident (firing period of an alert) in API responses. Times are epoch ms; `ended` is null while the alert fires. */
export const listedIncident = z.object({
  id: z.string(),
  /** Id of the alert. `''` for an alert of another user. */
  alert: z.string(),
  system: z.string(),
  systemName: z.string(),
  /** Name of the alert kind of the incident, such as `CPU`. */
  name: z.string(),
  target: z.string(),
  threshold: z.number(),
  minutes: z.number(),
  /**
   * Value that fired the alert, in the unit of the alert kind: the average over the alert's minutes, a forecast or a rate. Null for alerts
   * without a threshold, and if unknown.
   */
  value: z.number().nullable(),
  began: z.number(),
  ended: z.number().nullable(),
  /** Highest severity that the incident reached: `warning` or `critical`. A critical incident never becomes a warning again. */
  severity: z.enum(severities),
  ending: z.enum(['', 'resolved', 'closed']),
  /** True when an outage explains the incident, so that no notification is sent about it (unless it outlasts its cause). */
  silenced: z.boolean(),
  /** Name of the system whose outage explains a silenced incident. Null if it is not silenced or the user may not view that system. */
  cause: z.string().nullable(),
  /** Time when the incident was acknowledged or snoozed, in epoch ms. Null if it was not, or if the snooze is over. */
  acknowledged: z.number().nullable(),
  /**
   * Name of the person who acknowledged or snoozed the incident; `''` if nobody has, or if the snooze is over. A name that ends with
   * ` (by link)` was typed by somebody with the link in a message. `''` also for an alert of another user, if it is an email address.
   */
  acknowledger: z.string(),
  note: z.string(),
  /**
   * End of the snooze of an incident, in epoch ms; reminders and the escalation continue then. Null for an incident that is not snoozed.
   */
  snoozed: z.number().nullable(),
  /**
   * Names of the people to whom the incident was escalated, in order, each once; null stands for further channels of its owner. Absent if
   * it was not escalated, and for an alert of another user.
   */
  escalated: z.array(z.string().nullable()).readonly().optional(),
  /**
   * Name of the alert's owner, if that is another user and the incident was escalated to the caller; `''` if the owner has no name. Absent
   * for the caller's own alerts.
   */
  ownerName: z.string().optional(),
})
type ListedIncident = Readonly<z.infer<typeof listedIncident>>

/** User who lists incidents (`owner`, a user id), with the facts of the request. They decide which systems the user may view. */
export type IncidentReader = { readonly owner: string; readonly facts: RequestFacts }

export type IncidentQuery = IncidentReader & {
  readonly system?: string | undefined
  /**
   * Filter of the list of incidents: `firing` selects those (firing periods of alerts) that have not ended, `over` those that ended,
   * `undefined` both.
   */
  readonly state?: 'firing' | 'over' | undefined
  /**
   * Text to search for in the names of system, alert kind and watched target (such as a disk), joined by spaces. ASCII letters match in
   * either case. Only incidents (firing periods of alerts) that contain it are listed. `undefined`: all.
   */
  readonly search?: string | undefined
  /**
   * Start of a time range in epoch ms, inclusive; `toMs` is its end, exclusive. Only incidents (firing periods of alerts) that overlap this
   * range are listed. `undefined`: the range has no start.
   */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /**
   * Id of the last incident (firing period of an alert) of the previous page, after which this page begins. `undefined` for the first page.
   */
  readonly after?: string | undefined
  readonly most: number
}

/**
 * Loads a page of the incidents (firing periods) that match the filters of `query`, newest first: those of a user's own alerts, and those
 * escalated to the user. Only those of systems that the user may view; none if the user may not read an incident with the id `after`.
 */
export async function listIncidents(engine: ListingEngine, query: IncidentQuery): Promise<readonly ListedIncident[]> {
  const { owner, system, state, search, fromMs, toMs, after, most } = query
  const { database } = engine
  const { contains, textParameter } = database.dialect
  // Without this query, the database could not use its index of the owner's incidents.
  const readable = (await hasEscalated(engine, owner)) ? isOwnOrEscalated(owner) : isOwn(owner)
  const conditions = [
    readable,
    isVisibleSystem(engine, query.facts, sql`i.system`),
    ...(system === undefined ? [] : [sql`i.system = ${system}`]),
    ...(state === undefined ? [] : [state === 'firing' ? sql`i.ended is null` : sql`i.ended is not null`]),
    ...(search === undefined ? [] : [contains(sql`s.name || ' ' || i.kind || ' ' || i.target`, textParameter(search))]),
    ...(fromMs === undefined ? [] : [sql`(i.ended is null or i.ended >= ${fromMs})`]),
    ...(toMs === undefined ? [] : [sql`i.began < ${toMs}`]),
    ...(after === undefined
      ? []
      : [sql`(i.began, i.id) < (select i.began, i.id from incidents as i where i.id = ${after} and ${readable})`]),
  ]
  const { rows } = await sql<ListedRow>`
    select i.id, case when i.owner = ${owner} then i.alert else '' end as alert, i.system, s.name as "systemName", i.kind as name, i.target, i.threshold, i.minutes, i.value, i.began, i.ended,
      i.ending, i.severity, case when i.cause <> '' then 1 else 0 end as "isSilenced", c.name as cause, i.acknowledged, i.note, i.snoozed,
      case when i.owner <> ${owner} and i.acknowledger like '%@%' and i.acknowledger not like '% (by link)'
        and i.acknowledger <> coalesce(u.email, '') then '' else i.acknowledger end as acknowledger,
      case when i.owner = ${owner} then null else coalesce(o.name, '') end as "ownerName",
      case when i.owner = ${owner} then i.unanswered else null end as "unansweredMs"
    from incidents as i join systems as s on s.id = i.system
      left join users as o on o.id = i.owner left join users as u on u.id = ${owner}
      left join systems as c on i.cause <> '' and c.id = i.cause and ${isVisibleSystem(engine, query.facts, sql`i.cause`)}
    where ${sql.join(conditions, sql` and `)} order by i.began desc, i.id desc limit ${most}`.execute(database.kysely)
  const escalated = await loadEscalated(
    engine,
    rows.flatMap(({ id, unansweredMs }) => (unansweredMs === null ? [] : [id])),
  )
  return rows.map(({ isSilenced, unansweredMs: _ms, ownerName, ...row }) => {
    const names = escalated.get(row.id)
    return {
      ...row,
      silenced: isSilenced === 1,
      ...(names === undefined ? {} : { escalated: names }),
      ...(ownerName === null ? {} : { ownerName }),
    }
  })
}

type ListedRow = Omit<ListedIncident, 'silenced' | 'escalated' | 'ownerName'> & {
  readonly isSilenced: number
  readonly unansweredMs: number | null
  readonly ownerName: string | null
}

async function hasEscalated({ database }: ListingEngine, person: string): Promise<boolean> {
  const { rows } = await sql<{ incident: string }>`${escalatedTo(person)} and n.incident not in
    (select o.id from incidents as o where o.id = n.incident and o.owner = ${person}) limit 1`.execute(database.kysely)
  return rows.length > 0
}

/**
 * Loads to whom incidents (by id) were escalated. Resolves to a map from incident id to names of people, with null for further channels of
 * the owner. Other incidents are absent.
 */
async function loadEscalated(
  { database }: ListingEngine,
  incidents: readonly string[],
): Promise<ReadonlyMap<string, readonly (string | null)[]>> {
  if (incidents.length === 0) return new Map()
  const { rows } = await sql<{ incident: string; name: string | null }>`
    select n.incident, case when n.owner = i.owner then null when u.name <> '' then u.name else u.email end as name
    from notices as n join incidents as i on i.id = n.incident left join users as u on u.id = n.owner
    where n.incident in (${sql.join(incidents)}) and ${isEscalation}
    order by n.at, n.id`.execute(database.kysely)
  return new Map(
    [...Map.groupBy(rows, ({ incident }) => incident)].map(([id, some]) => [id, [...new Set(some.map(({ name }) => name))]] as const),
  )
}

type ListingEngine = Pick<Engine, 'database' | 'collections' | 'secrets' | 'clock'>

/**
 * Schema of an alert with the number of times it fired (`count`). `target` is the part of the system that it watches, such as a disk; `''`
 * for the whole system. For an alert without a record, such as a deleted one, it is the target of its incidents; `''` if they differ.
 */
export const noisyAlert = listedIncident
  .pick({ alert: true, system: true, systemName: true, name: true, target: true })
  .extend({ count: z.number() })
type NoisyAlert = Readonly<z.infer<typeof noisyAlert>>

/**
 * Loads up to `most` alerts of a user that fired most often since `sinceMs` (epoch ms), each with the number of times, most frequent first.
 * Only alerts of systems that the user may view.
 */
export async function listNoisy(
  engine: ListingEngine,
  whose: IncidentReader,
  { sinceMs, most }: { readonly sinceMs: number; readonly most: number },
): Promise<readonly NoisyAlert[]> {
  const { database } = engine
  const conditions = [isOwn(whose.owner), isVisibleSystem(engine, whose.facts, sql`i.system`), sql`i.began >= ${sinceMs}`]
  // The record of a policy's alert exists only while it waits or fires.
  const target = sql`coalesce(a.target, case when min(i.target) = max(i.target) then max(i.target) else '' end)`
  const { rows } = await sql<NoisyAlert>`
    select i.alert, i.system, s.name as "systemName", i.kind as name, ${target} as target, count(*) as count
    from incidents as i join systems as s on s.id = i.system left join alerts as a on a.id = i.alert
    where ${sql.join(conditions, sql` and `)}
    group by i.alert, i.system, s.name, i.kind, a.target order by count(*) desc, s.name, i.kind, a.target limit ${most}`.execute(
    database.kysely,
  )
  return rows
}
