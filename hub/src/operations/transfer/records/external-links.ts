import { externalAuths } from '../../../records/collections/sign-in-traces.ts'
import { users } from '../../../records/collections/users.ts'
import { textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import type { AccountsPlan } from './accounts.ts'
import { fitRecord, idHere } from './rows/fit-record.ts'
import { foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

type LinkFacts = {
  readonly here: StoredHere
  readonly accounts: AccountsPlan
  /**
   * Names of the identity providers that have the same issuer and client id in both hubs, or that this import copies. User ids of other
   * providers could belong to other people.
   */
  readonly providers: ReadonlySet<string>
}

/**
 * Yields a decision (import it, already present, or leave it out) for each link between a user of the imported hub and an account at an
 * identity provider.
 */
export function* judgeLinks({ database }: Pick<ForeignHub, 'database'>, { here, accounts, providers }: LinkFacts): Generator<RowJudgement> {
  const keys = new Set(
    here.links.flatMap((link) => keysOf(textOf(link, 'recordRef'), textOf(link, 'provider'), textOf(link, 'providerId'))),
  )
  for (const row of foreignRows(database, externalAuths.name)) {
    const id = idHere(externalAuths, row)
    const [provider, providerId, person] = [foreignText(row, 'provider'), foreignText(row, 'providerId'), foreignText(row, 'recordRef')]
    const recordRef = foreignText(row, 'collectionRef') === users.id ? accounts.idOf.get(person) : undefined
    if (id === undefined) yield leftOut('it has no id', provider)
    else if (here.has(externalAuths, id)) yield present
    else if (recordRef === undefined) yield leftOut('its user is not here', provider)
    else if (!accounts.own.has(recordRef)) yield leftOut('the account here keeps its own ways to sign in', provider)
    else if (!providers.has(provider)) yield leftOut('the identity provider is not taken over', provider)
    else if (keysOf(recordRef, provider, providerId).some((key) => keys.has(key))) yield leftOut('there is another link already', provider)
    else {
      const { values, changes, problem } = fitRecord(externalAuths, row, { collectionRef: users.id, recordRef })
      if (problem !== undefined) {
        yield leftOut(problem, provider)
        continue
      }
      for (const key of keysOf(recordRef, provider, providerId)) keys.add(key)
      yield { decision: 'taken', record: { ...values, id }, changes: changes.map((reason) => ({ reason, example: provider })) }
    }
  }
}

/**
 * Returns the two keys that must be unique among links to identity providers: one by the provider's account, and one by user and provider.
 */
const keysOf = (user: string, provider: string, providerId: string): readonly string[] => [
  JSON.stringify(['account', provider, providerId]),
  JSON.stringify(['user', provider, user]),
]
