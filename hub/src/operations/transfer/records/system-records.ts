import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../../platform/json.ts'
import { emptyInfo, systems, systemStatuses } from '../../../records/collections/systems.ts'
import { checkField } from '../../../records/model/field-check.ts'
import { castValue } from '../../../records/model/field-value.ts'
import { textOf } from '../../../records/model/stored-record.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import type { AccountsPlan } from './accounts.ts'
import { fitRecord, idHere } from './rows/fit-record.ts'
import { foreignJson, type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, type NewRecord, present, type RowJudgement } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

/**
 * Plan for the systems of an imported hub: `judged` has one decision for each. The maps are used by other imported rows, such as alerts, to
 * find their system in this hub.
 */
export type SystemsPlan = {
  readonly judged: readonly RowJudgement[]
  /** Map from a system's id in the imported hub to its id in this hub. Systems that are left out are absent. */
  readonly idOf: ReadonlyMap<string, string>
  /** Ids in this hub of all paused systems, imported ones and others. */
  readonly paused: ReadonlySet<string>
}

const DEFAULT_PORT = '45876'
/** Host name `unknown.invalid` that replaces an unusable address of an imported system. It never resolves (RFC 6761). */
const NO_ADDRESS = 'unknown.invalid'

type Taken = { readonly names: ReadonlySet<string>; readonly addresses: ReadonlySet<string> }

/**
 * Decides which systems of the imported hub become systems of this hub. A system whose address another system here has is imported as a
 * second one and paused, so that no agent is polled twice.
 */
export function planSystems({ database }: Pick<ForeignHub, 'database'>, here: StoredHere, accounts: AccountsPlan): SystemsPlan {
  const rows = [...foreignRows(database, 'systems')]
  const imported = new Set(rows.flatMap((row) => idHere(systems, row) ?? []))
  // Systems of an earlier import must not change the decisions of a later one.
  const others = here.systems.filter(({ id }) => !imported.has(id))
  const addresses = new Set(others.map((system) => addressOf(textOf(system, 'host'), textOf(system, 'port'))))
  const names = new Set(others.map((system) => textOf(system, 'name')))
  const idOf = new Map<string, string>()
  const paused = new Set<string>()
  const judged = rows.map((row): RowJudgement => {
    const example = foreignText(row, 'name')
    const id = idHere(systems, row)
    if (id === undefined) return leftOut('it has no id', example)
    const foreignId = foreignText(row, 'id')
    if (here.has(systems, id)) {
      idOf.set(foreignId, id)
      return present
    }
    const judgement = judgeSystem(row, id, accounts, { names, addresses })
    if (judgement.decision !== 'taken') return judgement
    if (textOf(judgement.record, 'name') !== example) names.add(textOf(judgement.record, 'name'))
    if (judgement.record['status'] === 'paused') paused.add(id)
    idOf.set(foreignId, id)
    return judgement
  })
  for (const { id, status } of here.systems) if (status === 'paused') paused.add(id)
  return { judged, idOf, paused }
}

const addressOf = (host: string, port: string): string => (host.startsWith('/') ? host : `${host.toLowerCase()} ${port || DEFAULT_PORT}`)

function judgeSystem(row: ForeignRow, id: string, accounts: AccountsPlan, taken: Taken): RowJudgement {
  const reasons: string[] = []
  const people = usersOf(row, accounts, reasons)
  const name = foreignText(row, 'name')
  if (people === undefined) return leftOut('it has no users, and no superuser was chosen as an admin', name)
  const { host, isUsable } = hostOf(row, reasons)
  const fitted = fitRecord(systems, { ...row, name: name || host, host }, { users: people, info: infoOf(row, reasons), status: '' })
  if (fitted.problem !== undefined) return leftOut(fitted.problem, name)
  const record: NewRecord = { ...fitted.values, id }
  const isTwice = taken.addresses.has(addressOf(host, textOf(record, 'port')))
  const free = freeName(textOf(record, 'name'), isTwice, taken.names)
  if (isTwice) reasons.push('a system here has the same address: taken as a second one, paused')
  else if (free !== record['name']) reasons.push('a system here has the same name: a number is added')
  if (name === '') reasons.push('it had no name: the address is the name')
  const status = isTwice || !isUsable ? 'paused' : statusOf(row)
  if (id !== foreignText(row, 'id')) reasons.push('the id was invalid and is new')
  const changes = [...fitted.changes, ...reasons].map((reason) => ({ reason, example: name }))
  return { decision: 'taken', record: { ...record, name: free, status }, changes }
}

/**
 * Returns the status (such as `up`) that an imported system gets: its own, so that a system that was up and does not respond to this hub
 * goes down with its alerts. `pending` for an unknown status.
 */
const statusOf = (row: ForeignRow): string => systemStatuses.find((status) => status === foreignText(row, 'status')) ?? 'pending'

const usersField = { kind: 'relation', name: 'users', to: 'users', many: true } as const

/**
 * Returns the ids in this hub of the users of an imported system; without any, that of the first admin. `undefined` if there is no admin
 * either. It appends the reason to `reasons` when users were lost.
 */
function usersOf(row: ForeignRow, { idOf, firstAdmin }: AccountsPlan, reasons: string[]): readonly string[] | undefined {
  const stored = castValue(usersField, foreignText(row, 'users'))
  const ids = Array.isArray(stored) ? stored.map(String) : []
  const people = [...new Set(ids.flatMap((one) => idOf.get(one) ?? []))]
  if (people.length < ids.length) reasons.push('users that are not here lose access')
  if (people.length > 0) return people
  if (firstAdmin === undefined) return undefined
  reasons.push('it has no users: the first admin gets it')
  return [firstAdmin]
}

function hostOf(row: ForeignRow, reasons: string[]): { readonly host: string; readonly isUsable: boolean } {
  const host = foreignText(row, 'host').trim()
  if (host !== '' && host.length <= 255 && !/\s/.test(host)) return { host, isUsable: true }
  reasons.push('its address cannot be used: it is paused until you correct it')
  return { host: NO_ADDRESS, isUsable: false }
}

const infoField = { kind: 'json', name: 'info', maxBytes: 2_000_000 } as const

function infoOf(row: ForeignRow, reasons: string[]): Json {
  const stored = foreignJson(row, 'info')
  const info = stored !== undefined && isJsonObject(stored) ? { ...emptyInfo, ...stored } : undefined
  if (info !== undefined && checkField(infoField, info) === undefined) return info
  if (stored !== null) reasons.push('"info" was no JSON object or too large and is empty now')
  return emptyInfo
}

/**
 * Returns the name `name` for an imported system if it is not in `names`, the used ones. Otherwise, and always with `isTwice` (the system
 * is here already), it gets the lowest free number from ` (2)` on.
 */
function freeName(name: string, isTwice: boolean, names: ReadonlySet<string>): string {
  if (!isTwice && !names.has(name)) return name
  const cut = Array.from(name).slice(0, 4990).join('')
  for (let number = 2; ; number++) {
    const free = `${cut} (${number})`
    if (!names.has(free)) return free
  }
}
