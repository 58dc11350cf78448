import { z } from 'zod'
import { authCollection } from '../../http/requests/find-collection.ts'
import { remoteAddress, languageOf, visitorOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { textOrEmpty } from '../../http/routing/field-schemas.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { blank } from '../../records/model/field-check.ts'
import type { FieldError } from '../../records/model/record-error.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { TooManyAttemptsError } from '../auth.ts'
import { needsMailedCodes, signInCollectionOf, type SignInWays } from '../sessions/sign-in-settings.ts'
import { noCodes } from '../sign-in-steps.ts'
import { presentSession, sessionResponse } from './auth.ts'
import { credentials, email, INVALID } from './auth-bodies.ts'
import { countRequest } from './mailed-links.ts'

type CodeParts = { readonly engine: Engine; readonly accounts: Accounts }

const ID_LENGTH = 15
const LONGEST_ID = 255
const LONGEST_CODE = 71

/** HTTP route that emails a one-time code for signing in. The response is the same whether or not an account has the email address. */
export const requestCode = defineRoute('POST /api/collections/:collection/request-otp', {
  tag: 'sign-in',
  summary: 'Mails a one-time code',
  access: 'anyone',
  body: credentials(z.object({ email })),
  invalid: INVALID,
  response: z.object({ otpId: z.string() }),
  async handle({ c, params, body }, { engine, accounts, requests }: CodeParts & { readonly requests: Attempts }) {
    const { collection } = await codesOf(engine, accounts, params.collection)
    const sent = await body()
    await countRequest(requests, remoteAddress(c), sent.email)
    const otpId = randomId(ID_LENGTH)
    await accounts.write({ kind: 'otp', collection: collection.name, email: sent.email, otpId, ...languageOf(c) })
    return { otpId }
  },
})

const codeBody = z.object({ otpId: textTo(LONGEST_ID), password: textTo(LONGEST_CODE), mfaId: textOrEmpty })

export const signInWithCode = defineRoute('POST /api/collections/:collection/auth-with-otp', {
  tag: 'sign-in',
  summary: 'Signs in with a one-time code: answers `token` and `record`',
  access: 'anyone',
  body: credentials(codeBody),
  invalid: INVALID,
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, { engine, accounts, attempts }: CodeParts & { readonly attempts: Attempts }) {
    const { collection, otp } = await codesOf(engine, accounts, params.collection)
    const sent = await body()
    const { otpId, password: code } = sent
    const attempt = await attempts.begin({ address: remoteAddress(c), account: `code ${otpId}` })
    if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
    const account = await accounts.codes.use({ otpId, code, collection, lifetimeSeconds: otp.duration })
    await attempt.succeeded()
    return presentSession(c, engine, collection, await accounts.auth.complete(collection, account, 'otp', visitorOf(c, sent)))
  },
})

/**
 * Resolves to the sign-in collection with this name or id, and its settings for emailed one-time codes. Throws 403 if codes are neither
 * enabled nor needed as second factor.
 */
async function codesOf(
  engine: Engine,
  accounts: Accounts,
  nameOrId: string,
): Promise<{ readonly collection: Collection; readonly otp: SignInWays['otp'] }> {
  const collection = authCollection(engine, nameOrId)
  const settings = await accounts.ways.load()
  const { otp } = settings[signInCollectionOf(collection.name)]
  if (!otp.enabled && !needsMailedCodes(settings)) throw noCodes()
  return { collection, otp }
}

/**
 * Returns a schema for a text of 1 to `longest` characters. An empty text and a value that is no text give the error of a missing value, a
 * longer text that of a wrong length.
 */
function textTo(longest: number) {
  const wrongLength: FieldError = {
    code: 'validation_length_out_of_range',
    message: `The length must be between 1 and ${longest}.`,
    params: { max: longest, min: 1 },
  }
  return textOrEmpty.refine((text) => text !== '', refusedWith(blank)).refine((text) => text.length <= longest, refusedWith(wrongLength))
}
