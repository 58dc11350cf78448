import { sql as raw, type Kysely } from 'kysely'
import type { Tables } from '../../platform/db/schema.ts'
import { signedValues } from '../../platform/secrets/signed-token.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { ESCALATED, loadAccessibleIncident, type AccessibleIncident } from '../incidents/incident-access.ts'
import { REMINDER } from './notice.ts'
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

/** Incident (firing period of an alert) for which a link was made, as its recipient may read it. */
export type LinkedIncident = AccessibleIncident & {
  /**
   * Name of the system in the recipient's latest message about the incident, so that a later rename stays unknown to readers of the link.
   */
  readonly systemName: string
}

/** Claims of a valid link: the ids of the incident, and of the recipient of the message with the link (`owner`). */
export type LinkClaims = { readonly id: string; readonly owner: string }

/** Verifies the token of a link. `undefined` if it is not valid or has expired. Reads nothing from the database. */
export function readLink({ secrets, clock }: Pick<Engine, 'secrets' | 'clock'>, token: string): LinkClaims | undefined {
  const [id, owner] = signedValues(secrets, ACKNOWLEDGE_LINKS).verify(token, clock.now()) ?? []
  return id === undefined || owner === undefined ? undefined : { id, owner }
}

/**
 * Loads the incident that a link names. `undefined` if the recipient of its message may not read and acknowledge it now, or that message
 * was deleted.
 */
export async function loadLinkedIncident(engine: Engine, { id, owner }: LinkClaims): Promise<LinkedIncident | undefined> {
  const incident = await loadAccessibleIncident(engine, { id, person: owner })
  const systemName = incident && (await nameInMessage(engine.database.kysely, id, owner))
  return incident === undefined || systemName === undefined ? undefined : { ...incident, systemName }
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
