import { errorBody } from '../../platform/http/http-error.ts'
import type { Context } from 'hono'
import { z } from 'zod'
import { isFromHere, remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { texts } from '../../http/routing/field-schemas.ts'
import { blank } from '../../records/model/field-check.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { TooManyAttemptsError } from '../auth.ts'
import type { Attempts } from '../attempts.ts'
import type { FirstRun } from '../first-run.ts'
import { castText } from './auth-bodies.ts'

export type FirstRunParts = { readonly firstRun: FirstRun; readonly attempts: Attempts }

export const readFirstRun = defineRoute('GET /api/beszel/first-run', {
  tag: 'hub',
  summary: 'Whether there is no account yet, and whether the set-up code is needed',
  access: 'anyone',
  response: z.object({ firstRun: z.boolean(), setupCodeNeeded: z.boolean() }),
  async handle({ c }, { firstRun }: FirstRunParts) {
    const open = await firstRun.isOpen()
    return { firstRun: open, setupCodeNeeded: open && !isFromHere(c) }
  },
})

export const firstAdminSchema = z.object({ email: castText, password: castText, setupCode: castText })

export const createFirstUser = defineRoute('POST /api/beszel/create-user', {
  tag: 'hub',
  summary: 'Creates the first admin, while there is no account',
  access: { door: 'anyone', decidedBy: 'the set-up code, or a direct connection from this machine' },
  body: texts(firstAdminSchema),
  response: z.object({ msg: z.string() }),
  async handle({ c, body }, parts: FirstRunParts) {
    try {
      await createFirstAdmin(c, parts, await body())
      return { msg: 'User created' }
    } catch (error) {
      // Clients of this route read `err`.
      if (!(error instanceof RecordError)) throw error
      return Response.json({ ...errorBody(error), err: shortMessage(error) }, { status: error.status })
    }
  },
})

/**
 * Creates the first admin for a request; one from this machine needs no setup code. Throws 403 if an account exists or the code is wrong,
 * 429 after too many codes, 400 with field errors.
 */
export async function createFirstAdmin(
  c: Context<RequestContext>,
  { firstRun, attempts }: FirstRunParts,
  { email, password, setupCode }: z.infer<typeof firstAdminSchema>,
): Promise<void> {
  const here = isFromHere(c)
  const { waitSeconds } = here ? { waitSeconds: undefined } : await attempts.begin({ address: remoteAddress(c), account: 'set-up' })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
  await firstRun.createAdmin({ email, password, setupCode: here ? 'not needed' : setupCode })
}

function shortMessage({ status, data, message }: RecordError): string {
  if (status === 403) return 'Forbidden'
  const [wrong] = Object.entries(data)
  if (wrong === undefined) return status === 400 ? 'unexpected EOF' : message
  const [field, error] = wrong
  return error === blank ? 'Bad request' : typeof error.message === 'string' ? `${field}: ${error.message}` : 'Bad request'
}
