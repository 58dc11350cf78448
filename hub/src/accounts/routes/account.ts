import { z } from 'zod'
import { visitorOf, remoteAddress } from '../../http/requests/request-context.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { sentFields, texts, typedObject } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { recordDate } from '../../records/model/stored-record.ts'
import { notFound } from '../../records/model/record-error.ts'
import { presentRecord, type PublicRecord } from '../../records/presentation/present.ts'
import { changePassword, changeProfile, endSessions } from '../account.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { sessionResponse } from './auth.ts'
import type { OwnSession } from '../sessions/sessions.ts'

type AccountParts = { readonly engine: Engine; readonly accounts: Pick<Accounts, 'auth' | 'sessions'> }

const changeOwnProfile = defineRoute('POST /api/account/profile', {
  tag: 'sign-in',
  summary: "Changes the caller's own name and the visibility of the email address; answers the record",
  access: 'signed in',
  body: texts(sentFields({ name: 'string', username: 'string', emailVisibility: 'boolean' })),
  response: typedObject<PublicRecord>(),
  async handle({ actor, body }, { engine }: AccountParts) {
    const record = await changeProfile(engine, actor, await body())
    return presentRecord(authCollection(engine, 'users'), record, record)
  },
})

const changeOwnPassword = defineRoute('POST /api/account/password', {
  tag: 'sign-in',
  summary: "Changes the caller's own password and ends the other sessions; answers `token` and `record`",
  access: 'signed in',
  body: texts(sentFields({ oldPassword: 'string', password: 'string', passwordConfirm: 'string' })),
  response: sessionResponse,
  async handle({ c, actor, proof, body }, { engine, accounts, attempts }: AccountParts & { readonly attempts: Attempts }) {
    const record = await changePassword(engine, attempts, actor, { body: await body(), address: remoteAddress(c) })
    const start = { visitor: visitorOf(c, {}), signedInMs: engine.clock.now() }
    const { token } = await accounts.auth.begin(proof.collection, record, start)
    return { token, record: presentRecord(proof.collection, record, record) }
  },
})

const listOwnSessions = defineRoute('GET /api/account/sessions', {
  tag: 'sign-in',
  summary: "The caller's own sessions",
  access: 'signed in',
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        collection: z.string(),
        started: z.string(),
        renewed: z.string(),
        expires: z.string(),
        address: z.string(),
        browser: z.string(),
        by: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
  handle: async ({ actor, proof }, { accounts }: AccountParts) => ({
    items: (await accounts.sessions.list(actor.id, proof.token)).map(presentSession),
  }),
})

/**
 * Converts a session in the list of a user's own sessions to its form in API responses: times become dates such as `2026-11-21
 * 06:30:00.000Z`.
 */
function presentSession({ startedMs, renewedMs, expiresMs, ...session }: OwnSession) {
  return { ...session, started: recordDate(startedMs), renewed: recordDate(renewedMs), expires: recordDate(expiresMs) }
}

const endOwnSessions = defineRoute('DELETE /api/account/sessions', {
  tag: 'sign-in',
  summary: "Ends all of the caller's sessions and starts a new one; answers `token` and `record`",
  access: 'signed in',
  response: sessionResponse,
  async handle({ c, actor, proof }, { engine, accounts }: AccountParts) {
    const signedInMs = await accounts.auth.signedInMs(proof)
    const record = await endSessions(engine, actor)
    const { token } = await accounts.auth.begin(proof.collection, record, { visitor: visitorOf(c, {}), signedInMs })
    return { token, record: presentRecord(proof.collection, record, record) }
  },
})

const endOwnSession = defineRoute('DELETE /api/account/sessions/:id', {
  tag: 'sign-in',
  summary: "Ends one of the caller's sessions and its event streams at once",
  access: 'signed in',
  response: 'nothing',
  async handle({ actor, params }, { accounts }: AccountParts) {
    if (!(await accounts.sessions.end(actor.id, params.id))) throw notFound()
  },
})

/** List of the routes by which users change their own account. */
export const ownAccountRoutes = [changeOwnProfile, changeOwnPassword, listOwnSessions, endOwnSessions, endOwnSession]
