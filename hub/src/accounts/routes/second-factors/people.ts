import { z } from 'zod'
import { defineRoute } from '../../../http/routing/define-route.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { badRequest, notFound } from '../../../records/model/record-error.ts'
import { textOf } from '../../../records/model/stored-record.ts'
import { noteInAudit } from '../../../records/writing/audit-log.ts'
import { endSessionsWithin } from '../../account.ts'
import type { Accounts } from '../../accounts.ts'
import { deleteSecondFactors } from '../../sessions/proofs.ts'

type PeopleParts = { readonly engine: Engine; readonly accounts: Pick<Accounts, 'apps' | 'passkeys'> }

const readFactors = defineRoute('GET /api/vedette/users/:id/second-factors', {
  tag: 'back-office',
  summary: 'Whether a person has an authenticator app, and the number of passkeys',
  access: 'admin',
  response: z.object({ app: z.boolean(), passkeys: z.number() }),
  handle: async ({ params }, { accounts }: PeopleParts) => ({
    app: (await accounts.apps.stateOf(params.id)).isOn,
    passkeys: (await accounts.passkeys.list(params.id)).length,
  }),
})

const removeFactors = defineRoute('DELETE /api/vedette/users/:id/second-factors', {
  tag: 'back-office',
  summary: 'Removes the authenticator app, recovery codes and passkeys of another person, and ends the sessions of that person',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params: { id } }, { engine }: PeopleParts) {
    // A stolen session must not get around the code that removing one's own factor needs.
    if (id === actor.id) throw badRequest('Turn off your own second factors in the settings.')
    await engine.database.write(async (unit) => {
      const removed = await deleteSecondFactors(unit, id)
      if (removed.length === 0) throw notFound()
      const person = await endSessionsWithin(engine, unit, id)
      const changes = Object.fromEntries(removed.map((factor) => [factor, ['on', 'off'] as const]))
      const note = { by: actor, action: 'update', target: 'users', id, name: textOf(person, 'email'), changes }
      await noteInAudit(unit, engine.clock.now(), note)
    })
  },
})

/** List of the HTTP routes by which admins see and remove the second factors of other users. */
export const peopleFactorRoutes = [readFactors, removeFactors]
