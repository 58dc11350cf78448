import { Hono, type Context } from 'hono'
import { ownValue } from '@vedette/protocol/own-value'
import { TooManyAttemptsError } from '../auth.ts'
import type { Attempts } from '../attempts.ts'
import type { FirstRun } from '../first-run.ts'
import { blank } from '../../records/model/field-check.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { asText } from '../../records/model/record-row.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { errorBody } from '../../http/requests/respond.ts'
import { isFromHere, remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'

export type FirstRunParts = { readonly firstRun: FirstRun; readonly attempts: Attempts }

/** The first admin, while there is nobody yet. Who is not on this machine must show the code that the hub printed. */
export function firstRunRoute({ firstRun, attempts }: FirstRunParts): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/beszel/first-run', async (c) => {
      const open = await firstRun.isOpen()
      return c.json({ firstRun: open, setupCodeNeeded: open && !isFromHere(c) })
    })
    .post('/api/beszel/create-user', async (c) => {
      try {
        await createFirstAdmin(c, { firstRun, attempts }, await readTexts(c))
        return c.json({ msg: 'User created' })
      } catch (error) {
        // Clients of this endpoint read `err`.
        if (!(error instanceof RecordError) || error instanceof TooManyAttemptsError) throw error
        return Response.json({ ...errorBody(error), err: shortly(error) }, { status: error.status })
      }
    })
}

/** Throws 403 when there is somebody already or the code is wrong, 429 after too many codes, 400 with the fields' errors. */
export async function createFirstAdmin(c: Context<RequestContext>, { firstRun, attempts }: FirstRunParts, body: Body): Promise<void> {
  const here = isFromHere(c)
  const { waitSeconds } = here ? { waitSeconds: undefined } : attempts.begin({ address: remoteAddress(c), account: 'set-up' })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
  const text = (name: string): string => asText(ownValue(body, name) ?? '')
  await firstRun.createAdmin({ email: text('email'), password: text('password'), setupCode: here ? 'not needed' : text('setupCode') })
}

function shortly({ status, data, message }: RecordError): string {
  if (status === 403) return 'Forbidden'
  const [wrong] = Object.entries(data)
  if (wrong === undefined) return status === 400 ? 'unexpected EOF' : message
  const [field, error] = wrong
  return error === blank ? 'Bad request' : typeof error.message === 'string' ? `${field}: ${error.message}` : 'Bad request'
}
