import { z } from 'zod'
import { authCollection } from '../../../http/requests/find-collection.ts'
import { remoteAddress, visitorOf } from '../../../http/requests/request-context.ts'
import { defineRoute } from '../../../http/routing/define-route.ts'
import { textOrEmpty, texts } from '../../../http/routing/field-schemas.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import type { Accounts } from '../../accounts.ts'
import type { Attempts } from '../../attempts.ts'
import { TooManyAttemptsError } from '../../auth.ts'
import { beginRequiredApp, confirmRequiredApp } from '../../required-factors.ts'
import { SETUP } from '../../sessions/proofs.ts'
import { presentSession, sessionResponse } from '../auth.ts'
import { noStore } from './own.ts'

type SetupParts = { readonly engine: Engine; readonly accounts: Accounts; readonly attempts: Attempts }

const byMfaId = { door: 'anyone', decidedBy: 'the `mfaId` of a sign-in that waits for the set-up' } as const

const stepsOf = ({ engine, accounts: { ways, apps, passkeys } }: SetupParts) => ({ engine, ways, apps, passkeys })

/**
 * Counts an attempt to enter the code for a sign-in's `mfaId`, before the code is checked. Throws 429 after too many attempts for this
 * sign-in or from this client's network.
 */
async function countAttempt({ attempts }: SetupParts, address: string, mfaId: string): Promise<void> {
  const { waitSeconds } = await attempts.begin({ address, account: `second step ${mfaId}` })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
}

const beginSetup = defineRoute('POST /api/collections/:collection/second-factor-setup', {
  tag: 'sign-in',
  summary: 'Starts to set up the authenticator app that a sign-in waits for: answers `secret` and `uri`',
  access: byMfaId,
  body: texts(z.object({ mfaId: textOrEmpty })),
  response: z.object({ secret: z.string(), uri: z.string() }),
  headers: noStore,
  async handle({ c, params, body }, parts: SetupParts) {
    const collection = authCollection(parts.engine, params.collection)
    const { mfaId } = await body()
    await countAttempt(parts, remoteAddress(c), mfaId)
    const { meta } = await parts.accounts.settings.load()
    return beginRequiredApp(stepsOf(parts), { collection, mfaId }, meta.appName)
  },
})

const confirmSetup = defineRoute('POST /api/collections/:collection/confirm-second-factor-setup', {
  tag: 'sign-in',
  summary: 'Turns that authenticator app on with its first code and completes the sign-in: answers `token`, `record` and `recoveryCodes`',
  access: byMfaId,
  body: texts(z.object({ mfaId: textOrEmpty, code: textOrEmpty })),
  response: sessionResponse.extend({ recoveryCodes: z.array(z.string()) }),
  headers: noStore,
  async handle({ c, params, body }, parts: SetupParts) {
    const { engine, accounts } = parts
    const collection = authCollection(engine, params.collection)
    const { mfaId, code } = await body()
    await countAttempt(parts, remoteAddress(c), mfaId)
    const { record, recoveryCodes } = await confirmRequiredApp(stepsOf(parts), { collection, mfaId }, code)
    const session = await accounts.auth.complete(collection, record, SETUP, visitorOf(c, {}))
    return { ...(await presentSession(c, engine, collection, session)), recoveryCodes: [...recoveryCodes] }
  },
})

/** List of the routes by which a person sets up the second factor that the hub requires, during the sign-in. */
export const setupRoutes = [beginSetup, confirmSetup]
