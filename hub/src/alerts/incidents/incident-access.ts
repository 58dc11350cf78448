import { sql as raw, type RawBuilder } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { viewableIds } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'

/**
 * Start (`escalated-`) of the transition text of a notification that an alert was escalated. The minutes of the step follow:
 * `escalated-15`, or `escalated-worse-15` if they count from the change to critical.
 */
export const ESCALATED = 'escalated-'

/**
 * Incident (firing period of an alert) that a person may read, acknowledge and snooze. `owner`: the alert's owner, also if it was escalated
 * to that person. Times are epoch ms. `ended` is null while the alert fires; `acknowledged` and `snoozed` are null if it is not.
 */
export type AccessibleIncident = {
  readonly id: string
  readonly owner: string
  readonly system: string
  readonly kind: string
  readonly target: string
  readonly began: number
  readonly ended: number | null
  readonly acknowledged: number | null
  readonly acknowledger: string
  readonly snoozed: number | null
}

/**
 * Name of the event for a changed incident. There is no such collection; the record has only the id. Hubs send it to the people who may
 * read the incident.
 */
export const INCIDENTS = 'incidents'

/** Reports, when the transaction commits, that an incident (by id) was acknowledged, escalated or ended. */
export const noteIncidentChange = ({ emit }: UnitOfWork, id: string): void =>
  emit({ action: 'update', collection: INCIDENTS, record: { id } })

/** Incident (`id`) and the person (a user id) whose access to it is decided. */
type IncidentOfPerson = { readonly id: string; readonly person: string }

/** SQL condition on the alias `n` of `notices`: a message about an escalation was sent to the notification's user. */
export const isEscalation = raw<boolean>`(n.transition like ${`${ESCALATED}%`} and n.state = 'handed')`

/** Returns the SQL query for the ids of the incidents that were escalated to a user: a message about the escalation was sent. */
export const escalatedTo = (person: string): RawBuilder<unknown> =>
  raw`select n.incident from notices as n where n.owner = ${person} and ${isEscalation}`

/** Returns the SQL condition that the incident with the alias `i` is of a user's own alert. */
export const isOwn = (person: string): RawBuilder<boolean> => raw<boolean>`i.owner = ${person}`

/**
 * Returns the SQL condition that a user may react to the incident with the alias `i`: it is of an own alert or was escalated to the user. A
 * caller must also check that the user may view the system now.
 */
export const isOwnOrEscalated = (person: string): RawBuilder<boolean> =>
  raw<boolean>`(${isOwn(person)} or i.id in (${escalatedTo(person)}))`

/**
 * Loads an incident if a person may read, acknowledge and snooze it: it is of an own alert or was escalated to the person, whose account
 * exists and may view the system now. `undefined` otherwise. With a transaction (`unit`) it sees that transaction's changes.
 */
export async function loadAccessibleIncident(
  engine: Engine,
  { id, person }: IncidentOfPerson,
  unit?: UnitOfWork,
): Promise<AccessibleIncident | undefined> {
  const { database, store } = engine
  const { rows } = await raw<AccessibleIncident>`
    select i.id, i.owner, i.system, i.kind, i.target, i.began, i.ended, i.acknowledged, i.acknowledger, i.snoozed
    from incidents as i where i.id = ${id} and ${isOwnOrEscalated(person)}`.execute(unit?.sql ?? database.kysely)
  const [incident] = rows
  const actor = incident && (await store.load('users', person, unit))
  if (incident === undefined || actor === undefined) return undefined
  const { system } = incident
  return (await viewableIds(engine, { actor, collection: 'systems', ids: [system] }, unit)).has(system) ? incident : undefined
}

/** Loads the ids of all users who may read an incident now: its owner, and the people to whom it was escalated. */
export async function loadReaders(engine: Engine, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await raw<{ person: string }>`select owner as person from incidents where id = ${id}
    union select n.owner as person from notices as n where n.incident = ${id} and ${isEscalation}`.execute(engine.database.kysely)
  const readers = new Set<string>()
  for (const { person } of rows) if ((await loadAccessibleIncident(engine, { id, person })) !== undefined) readers.add(person)
  return readers
}
