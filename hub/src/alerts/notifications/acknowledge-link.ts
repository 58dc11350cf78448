import { sql as raw, type Kysely } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import { signedValues } from '../../platform/secrets/signed-token.ts'
import { viewableIds } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { ESCALATED, REMINDER } from './notice.ts'
import { parseNotice } from './notice-outbox.ts'

/**
 * Purpose of the tokens in links that acknowledge an alert. Such a token has two values: the ids of the incident and of the recipient of
 * the message. The hub signs tokens of other purposes with other keys.
 */
export const ACKNOWLEDGE_LINKS = 'links that acknowledge an alert'

/**
 * Time for which a link to acknowledge an alert is valid, in ms: 30 days from the notification. Notifications are stored at least as long.
 */
export const LINK_LIFETIME_MS = 30 * 86_400_000

/**
 * Incident (firing period of an alert) for which a link was made. `owner`: the alert's owner, also if it was escalated to another person.
 * Times are epoch ms; `ended`, `acknowledged` and `snoozed` are null if that has not happened.
 */
export type LinkedIncident = {
  readonly id: string
  readonly owner: string
  /**
   * Name of the system in the recipient's latest message about the incident, so that a later rename stays unknown to readers of the link.
   */
  readonly systemName: string
  readonly kind: string
  readonly target: string
  readonly began: number
  readonly ended: number | null
  readonly acknowledged: number | null
  readonly acknowledger: string
  readonly snoozed: number | null
}

/** Claims of a valid link: the ids of the incident, and of the recipient of the message with the link (`owner`). */
export type LinkClaims = { readonly id: string; readonly owner: string }

/** Verifies the token of a link. `undefined` if it is not valid or has expired. Reads nothing from the database. */
export function readLink({ secrets, clock }: Pick<Engine, 'secrets' | 'clock'>, token: string): LinkClaims | undefined {
  const [id, owner] = signedValues(secrets, ACKNOWLEDGE_LINKS).verify(token, clock.now()) ?? []
  return id === undefined || owner === undefined ? undefined : { id, owner }
}

/**
 * Loads the incident that a link names. `undefined` if the incident, its message or the recipient was deleted, or the recipient may not
 * view the system now. `undefined` also if the alert is neither the recipient's own nor escalated to the recipient. With a transaction
 * (`unit`) it sees that transaction's changes.
 */
export async function loadLinkedIncident(
  engine: Engine,
  { id, owner }: LinkClaims,
  unit?: UnitOfWork,
): Promise<LinkedIncident | undefined> {
  const { database, store } = engine
  const sql = unit?.sql ?? database.kysely
  const isEscalated = raw<boolean>`exists (select 1 from notices as n where n.incident = incidents.id and n.owner = ${owner}
    and n.transition like ${`${ESCALATED}%`} and n.state = 'handed')`
  const incident = await sql
    .selectFrom('incidents')
    .select(['id', 'owner', 'system', 'kind', 'target', 'began', 'ended', 'acknowledged', 'acknowledger', 'snoozed'])
    .where('id', '=', id)
    .where((is) => is.or([is('owner', '=', owner), isEscalated]))
    .executeTakeFirst()
  const actor = incident && (await store.load('users', owner, unit))
  if (incident === undefined || actor === undefined) return undefined
  const { system, ...rest } = incident
  if (!(await viewableIds(engine, { actor, collection: 'systems', ids: [system] }, unit)).has(system)) return undefined
  const systemName = await nameInMessage(sql, id, owner)
  return systemName === undefined ? undefined : { ...rest, systemName }
}

/**
 * Resolves to the system's name in the latest "fired", reminder or escalation of an incident for a user (`owner`). `undefined` if there is
 * none, or it is damaged.
 */
async function nameInMessage(sql: Kysely<Tables>, incident: string, owner: string): Promise<string | undefined> {
  const message = await sql
    .selectFrom('notices')
    .selectAll()
    .where('incident', '=', incident)
    .where('owner', '=', owner)
    .where(raw<boolean>`(transition = 'fired' or transition like ${`${REMINDER}%`} or transition like ${`${ESCALATED}%`})`)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return message && parseNotice(message)?.body.systemName
}
