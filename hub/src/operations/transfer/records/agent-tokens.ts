import { fingerprints } from '../../../records/collections/fingerprints.ts'
import { universalTokens } from '../../../records/collections/universal-tokens.ts'
import { textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import { fitRecord, idHere } from './rows/fit-record.ts'
import { foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

const agentKey = (token: string, fingerprint: string): string => JSON.stringify([token, fingerprint])

/**
 * Yields a decision (import it, already present, or leave it out) for each token and fingerprint of the imported hub's agents. `idOf` maps
 * its system ids to those in this hub. An agent that already belongs to a system of this hub stays with it.
 */
export function* judgeFingerprints(
  { database }: Pick<ForeignHub, 'database'>,
  here: StoredHere,
  idOf: ReadonlyMap<string, string>,
): Generator<RowJudgement> {
  const systems = new Set(here.fingerprints.map((row) => textOf(row, 'system')))
  const agents = new Set(here.fingerprints.map((row) => agentKey(textOf(row, 'token'), textOf(row, 'fingerprint'))))
  // The newest row of a system counts, should there be several.
  const rows = [...foreignRows(database, 'fingerprints')].toSorted((one, other) => {
    const [date, otherDate] = [foreignText(one, 'updated'), foreignText(other, 'updated')]
    return date === otherDate ? 0 : date > otherDate ? -1 : 1
  })
  for (const row of rows) {
    const id = idHere(fingerprints, row)
    const example = foreignText(row, 'system')
    const system = idOf.get(example)
    if (id === undefined) yield leftOut('it has no id', example)
    else if (here.has(fingerprints, id)) yield present
    else if (system === undefined) yield leftOut('its system is not here', example)
    else if (systems.has(system)) yield leftOut('its system has another token already', example)
    else {
      const { values, changes, problem } = fitRecord(fingerprints, row, { system })
      const record = { ...values, id }
      const agent = agentKey(textOf(record, 'token'), textOf(record, 'fingerprint'))
      if (problem !== undefined) yield leftOut(problem, example)
      else if (agents.has(agent)) yield leftOut('the agent belongs to a system of this hub and stays with it', example)
      else {
        systems.add(system)
        yield { decision: 'taken', record, changes: changes.map((reason) => ({ reason, example })) }
      }
    }
  }
}

/** Maximum length in bytes (64) of an imported universal token; a longer one is left out, because agents cannot send it. */
const LONGEST_TOKEN = 64

/**
 * Yields a decision (import it, already present, or leave it out) for each universal token of the imported hub. `userOf` maps its user ids
 * to those in this hub.
 */
export function* judgeUniversalTokens(
  { database }: Pick<ForeignHub, 'database'>,
  here: StoredHere,
  userOf: ReadonlyMap<string, string>,
): Generator<RowJudgement> {
  const owners = new Set(here.universalTokens.map((row) => textOf(row, 'user')))
  const tokens = new Set(here.universalTokens.map((row) => textOf(row, 'token')))
  for (const row of foreignRows(database, 'universal_tokens')) {
    const id = idHere(universalTokens, row)
    const example = foreignText(row, 'user')
    const user = userOf.get(example)
    const token = foreignText(row, 'token')
    if (id === undefined) yield leftOut('it has no id', example)
    else if (here.has(universalTokens, id)) yield present
    else if (user === undefined) yield leftOut('its user is not here', example)
    else if (owners.has(user)) yield leftOut('its user has another universal token', example)
    else if (token === '' || Buffer.byteLength(token) > LONGEST_TOKEN) yield leftOut('its token cannot be used', example)
    else if (tokens.has(token)) yield leftOut('another user has the same token', example)
    else {
      const { values, changes } = fitRecord(universalTokens, row, { user })
      owners.add(user)
      tokens.add(token)
      yield { decision: 'taken', record: { ...values, id }, changes: changes.map((reason) => ({ reason, example })) }
    }
  }
}
