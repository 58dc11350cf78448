import type { Context } from 'hono'
import { z } from 'zod'
import type { Attempts } from '../../accounts/attempts.ts'
import { TooManyAttemptsError } from '../../accounts/auth.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { texts } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import { loadLinkedIncident, readLink, type LinkClaims } from '../notifications/acknowledge-link.ts'
import { acknowledgeFor, acknowledgementFields, alertIsOver, safeText } from './acknowledge.ts'

type LinkParts = {
  readonly engine: Engine
  /**
   * Rate limiter for uses of links that acknowledge an alert. Per minute at most 20 by network and incident, 100 by network, and 300 by
   * incident.
   */
  readonly linkUses: Attempts
}

/** Maximum length in characters (100) of the name that a person types who acknowledges an alert by a link. A longer name is rejected. */
const LONGEST_NAME = 100
/**
 * Text ` (by link)`, which is appended to the name of a person who acknowledged an alert by a link. The hub does not know whether the typed
 * name is true.
 */
const BY_LINK = ' (by link)'
const token = z.string().max(512, 'Must be at most 512 characters.')

const access = { door: 'anyone', decidedBy: 'the token of the link, and the access of its owner' } as const

export const viewByLink = defineRoute('POST /api/vedette/acknowledgement/view', {
  tag: 'alerts',
  summary: 'The alert of a message, by the token of the link in it. Changes nothing',
  access,
  body: texts(z.object({ token })),
  invalid: 'Failed to read the alert.',
  response: z.object({
    systemName: z.string(),
    /** Name of the alert kind (such as `CPU`) of the incident that the link acknowledges. */
    name: z.string(),
    target: z.string(),
    began: z.number(),
    ended: z.number().nullable(),
    acknowledged: z.number().nullable(),
    acknowledger: z.string(),
    snoozed: z.number().nullable(),
  }),
  async handle({ c, body }, { engine, linkUses }: LinkParts) {
    const link = readLink(engine, (await body()).token)
    const incident = await loadLinkedIncident(engine, await admitted(c, linkUses, link))
    if (incident === undefined) throw invalidLink()
    const { systemName, kind, target, began, ended, acknowledged, acknowledger, snoozed } = incident
    return { systemName, name: kind, target, began, ended, acknowledged, acknowledger, snoozed }
  },
})

export const acknowledgeByLink = defineRoute('POST /api/vedette/acknowledgement', {
  tag: 'alerts',
  summary: 'Acknowledges the alert of a message, by the token of the link in it; `snoozeMinutes` only delays its reminders',
  access,
  body: texts(
    z.object({
      token,
      name: safeText(z.string().trim().min(1, 'Cannot be blank.').max(LONGEST_NAME, `Must be at most ${LONGEST_NAME} characters.`)),
      ...acknowledgementFields,
    }),
  ),
  invalid: 'Failed to acknowledge the alert.',
  response: 'nothing',
  async handle({ c, body }, { engine, linkUses }: LinkParts) {
    const { name, note, snoozeMinutes, ...sent } = await body()
    const link = await admitted(c, linkUses, readLink(engine, sent.token))
    if ((await loadLinkedIncident(engine, link)) === undefined) throw invalidLink()
    const which = { id: link.id, person: link.owner }
    const result = await acknowledgeFor(engine, which, { by: `${name}${BY_LINK}`, note, snoozeMinutes })
    if (result === 'refused') throw invalidLink()
    if (result === 'over') throw alertIsOver()
  },
})

const invalidLink = () => notFound('The link is not valid, or has expired.')

/**
 * Counts a use of a link by client address and incident, and resolves to the claims of the link. Rejects with 429 for too many uses, and
 * with 404 for a link that is not valid. Invalid links share one counter.
 */
async function admitted(c: Context<RequestContext>, linkUses: Attempts, link: LinkClaims | undefined): Promise<LinkClaims> {
  const { waitSeconds } = await linkUses.begin({ address: remoteAddress(c), account: link?.id ?? '' })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
  if (link === undefined) throw invalidLink()
  return link
}
