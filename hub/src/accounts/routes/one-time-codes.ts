import { Hono, type Context } from 'hono'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { noCodes, TooManyAttemptsError } from '../auth.ts'
import { refuseProblems } from '../mailed-links.ts'
import { doorOf, type SignInWays } from '../sessions/sign-in-settings.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { blank } from '../../records/model/field-check.ts'
import type { FieldError } from '../../records/model/record-error.ts'
import { randomId } from '../../records/model/record-id.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { languageOf, visitorOf } from '../../http/requests/visitor.ts'
import { answerSession, readCredentials } from './auth.ts'
import { countRequest, wrongEmail } from './auth-by-mail.ts'

type Parts = { readonly engine: Engine; readonly accounts: Accounts; readonly attempts: Attempts; readonly requests: Attempts }

const ID_LENGTH = 15

/** Signing in with codes that are mailed. Who asks for one learns nothing of whether somebody has that address. */
export function oneTimeCodesRoute({ engine, accounts, attempts, requests }: Parts): Hono<RequestContext> {
  /** Throws 403 where nobody signs in with codes. As a second proof, admins need them through the other door too. */
  async function open(c: Context<RequestContext>): Promise<{ readonly collection: Collection; readonly otp: SignInWays['otp'] }> {
    const collection = authCollection(engine, c.req.param('collection') ?? '')
    const settings = await accounts.ways.load()
    const { otp } = settings[doorOf(collection.name)]
    if (!otp.enabled && !settings._superusers.mfa.enabled) throw noCodes()
    return { collection, otp }
  }

  return new Hono<RequestContext>()
    .post('/api/collections/:collection/request-otp', async (c) => {
      const { collection } = await open(c)
      const { email: sent } = await readCredentials(c)
      const email = typeof sent === 'string' ? sent : ''
      refuseProblems({ email: wrongEmail(email) })
      countRequest(requests, remoteAddress(c), email)
      const otpId = randomId(ID_LENGTH)
      await accounts.write({ kind: 'otp', collection: collection.name, email, otpId, ...languageOf(c) })
      return c.json({ otpId })
    })
    .post('/api/collections/:collection/auth-with-otp', async (c) => {
      const { collection, otp } = await open(c)
      const body = await readCredentials(c)
      const [otpId, code] = [body['otpId'], body['password']].map((value) => (typeof value === 'string' ? value : ''))
      const shown = { otpId: otpId ?? '', code: code ?? '' }
      refuseProblems({ otpId: wrongLength(shown.otpId, LONGEST_ID), password: wrongLength(shown.code, LONGEST_CODE) })
      const attempt = attempts.begin({ address: remoteAddress(c), account: `code ${shown.otpId}` })
      if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
      const account = await accounts.codes.use({ ...shown, collection, lifetimeSeconds: otp.duration })
      attempt.succeeded()
      return answerSession(c, engine, collection, await accounts.auth.complete(collection, account, 'otp', visitorOf(c, body)))
    })
}

const LONGEST_ID = 255
const LONGEST_CODE = 71

function wrongLength(text: string, longest: number): FieldError | undefined {
  if (text === '') return blank
  if (text.length <= longest) return undefined
  return {
    code: 'validation_length_out_of_range',
    message: `The length must be between 1 and ${longest}.`,
    params: { max: longest, min: 1 },
  }
}
