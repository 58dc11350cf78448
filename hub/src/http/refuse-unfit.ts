import type { MiddlewareHandler } from 'hono'
import { badRequest } from '../records/model/record-error.ts'
import type { RequestContext } from './requests/request-context.ts'

/** U+0000, which no database keeps in a text: nothing that is stored has it in its name or value. */
const NUL = /%00|\0/

/** Refuses addresses that no text of this hub could match. */
export const refuseUnfitAddress: MiddlewareHandler<RequestContext> = async (c, next) => {
  if (NUL.test(c.req.url)) throw badRequest()
  await next()
}
