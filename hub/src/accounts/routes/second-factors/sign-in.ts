import { z } from 'zod'
import { authCollection } from '../../../http/requests/find-collection.ts'
import { visitorOf } from '../../../http/requests/request-context.ts'
import { defineRoute } from '../../../http/routing/define-route.ts'
import { textOrEmpty } from '../../../http/routing/field-schemas.ts'
import { refusedWith } from '../../../records/model/field-errors.ts'
import { blank } from '../../../records/model/field-check.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import type { Accounts } from '../../accounts.ts'
import { presentSession, sessionResponse } from '../auth.ts'
import { credentials, INVALID } from '../auth-bodies.ts'

const LONGEST_CODE = 71

const codeBody = z.object({
  mfaId: textOrEmpty,
  code: textOrEmpty
    .refine((text) => text.trim() !== '', refusedWith(blank))
    .refine((text) => text.length <= LONGEST_CODE, `The length must be at most ${LONGEST_CODE}.`),
})

/**
 * HTTP route of the second step of a sign-in. A client calls it after a response with `mfaId` and `factors`, with a code of the
 * authenticator app or a recovery code.
 */
export const signInWithSecondFactor = defineRoute('POST /api/collections/:collection/auth-with-second-factor', {
  tag: 'sign-in',
  summary: 'Completes a sign-in with a code of the authenticator app or a recovery code: answers `token` and `record`',
  access: 'anyone',
  body: credentials(codeBody),
  invalid: INVALID,
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, { engine, accounts }: { readonly engine: Engine; readonly accounts: Pick<Accounts, 'auth'> }) {
    const collection = authCollection(engine, params.collection)
    const sent = await body()
    const visitor = visitorOf(c, sent)
    const session = await accounts.auth.completeWithCode({ collection, mfaId: visitor.mfaId, code: sent.code }, visitor)
    return presentSession(c, engine, collection, session)
  },
})
