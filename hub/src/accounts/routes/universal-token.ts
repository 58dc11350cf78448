import { z } from 'zod'
import { universalTokenSchema, type UniversalTokens } from '../universal-token.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { defineRoute, notAllowed } from '../../http/routing/define-route.ts'

/**
 * Route that returns the signed-in user's universal token, and enables or disables it if the query has `enable`. Any number of agents can
 * register with it as systems of the user.
 */
export const changeUniversalToken = defineRoute('GET /api/beszel/universal-token', {
  tag: 'agents',
  summary: 'The token with which any agent may enrol, and whether it is active; `enable` 1 or 0 switches it',
  access: { door: 'signed in', decidedBy: 'the role: people who may change systems' },
  query: z.object({ enable: z.string().default(''), permanent: z.string().default(''), token: z.string().default('') }),
  response: universalTokenSchema,
  headers: { 'cache-control': 'no-store' },
  async handle({ actor, proof, query }, { universalTokens: tokens }: { readonly universalTokens: UniversalTokens }) {
    if (proof.collection.viewOf !== undefined) throw new RecordError(403, 'Superusers cannot use universal tokens.')
    if (actor['role'] === 'readonly') throw notAllowed()
    const { enable, permanent, token } = query
    if (enable === '1') return tokens.enable(actor.id, token, permanent === '1')
    if (enable !== '0') return tokens.read(actor.id, token)
    await tokens.disable(actor.id)
    return { token, active: false, permanent: false }
  },
})
