import { randomUUID } from 'node:crypto'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { emptyInfo } from '../../records/collections/systems.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { validate } from '../../records/writing/validate.ts'
import { parseYaml, YamlError } from './yaml.ts'

/** Thrown for an invalid config.yml (list of systems). The message is one sentence for the operator who wrote the file. */
export class SystemFileUnusableError extends Error {
  override readonly name = 'SystemFileUnusableError'
}

type Listed = {
  readonly name: string
  readonly host: string
  readonly port: string
  readonly token: string | undefined
  /**
   * List of email addresses of the users who may view the imported system. `undefined`: an existing system keeps its users; a new one, or
   * one without users, gets the first user of the hub.
   */
  readonly users: readonly string[] | undefined
}

const DEFAULT_PORT = '45876'
const STATE = 'systems from config.yml'

/**
 * Imports the systems of a config.yml in one transaction: creates or updates those that it lists (matched by name, host and port). Deletes
 * systems that the file of an earlier import listed and this one does not; a file without systems deletes none. Throws {@link SystemFileUnusableError}.
 */
export async function importSystems(engine: Engine, text: string, log: Log): Promise<void> {
  const listed = parseSystems(text)
  if (listed.length === 0) return
  const counts = await engine.database.write(async (unit) => {
    await unit.alone('config.yml')
    const known = await engine.store.loadWhere('systems', {}, unit)
    const people = await engine.store.loadWhere('users', {}, unit)
    const kept = new Set<string>()
    let made = 0
    for (const [at, system] of listed.entries()) {
      const found = known.find((one) => isSame(one, system))
      const users = usersOf(system, people, found, log)
      const id = await put(engine, unit, { system, users, found, place: at + 1 })
      if (found === undefined) made += 1
      kept.add(id)
      await putToken(engine, unit, id, system.token)
    }
    const gone = (await loadImported(unit)).filter((id) => !kept.has(id))
    for (const id of gone) await engine.store.remove(unit, 'systems', id)
    await saveImported(unit, [...kept])
    return { made, updated: listed.length - made, deleted: gone.length }
  })
  log.info('systems read from config.yml', counts)
}

function isSame(record: StoredRecord, { name, host, port }: Listed): boolean {
  return record['name'] === name && record['host'] === host && (record['port'] || DEFAULT_PORT) === port
}

function usersOf({ users, name }: Listed, people: readonly StoredRecord[], found: StoredRecord | undefined, log: Log): readonly string[] {
  if (users === undefined) {
    const before = found?.['users']
    const [first] = people
    return Array.isArray(before) && before.length > 0 ? before.map(String) : first === undefined ? [] : [first.id]
  }
  return users.flatMap((email) => {
    const person = people.find((one) => one['email'] === email)
    if (person === undefined) log.warn('config.yml names unknown users', { system: name, email })
    return person?.id ?? []
  })
}

type Put = {
  readonly system: Listed
  readonly users: readonly string[]
  readonly found: StoredRecord | undefined
  readonly place: number
}

async function put(engine: Engine, unit: UnitOfWork, { system, users, found, place }: Put): Promise<string> {
  const { name, host, port } = system
  const collection = engine.collections.find('systems')
  if (collection === undefined) throw new RangeError('Cannot find the collection of systems')
  const values = { name, host, port, users }
  const record = { ...(found ?? { id: collection.idForm.generate(), status: 'pending', info: emptyInfo }), ...values }
  const { users: noUsers, ...errors } = await validate(engine, collection, { record, previous: found }, unit)
  const [wrong] = Object.entries(errors)
  if (wrong !== undefined) throw new SystemFileUnusableError(`Cannot use "config.yml": system ${place}: ${wrong[0]}: ${wrong[1].message}`)
  // Without any users the first admin adopts unowned systems. Once users exist, nobody would see such a system.
  if (noUsers !== undefined && system.users !== undefined && users.length === 0) {
    throw new SystemFileUnusableError(`Cannot use "config.yml": system ${place}: users: nobody of them is known`)
  }
  if (found === undefined) return (await engine.store.insert(unit, 'systems', record)).id
  await engine.store.update(unit, 'systems', found.id, values)
  return found.id
}

async function putToken(engine: Engine, unit: UnitOfWork, system: string, token: string | undefined): Promise<void> {
  const [known] = await engine.store.loadWhere('fingerprints', { system }, unit)
  if (known === undefined) await engine.store.insert(unit, 'fingerprints', { system, token: token ?? randomUUID() })
  else if (token !== undefined && known['token'] !== token) await engine.store.update(unit, 'fingerprints', known.id, { token })
}

async function loadImported({ sql }: UnitOfWork): Promise<readonly string[]> {
  const text = await loadState(sql, STATE)
  const ids = text === undefined ? [] : parseJson(text)
  return Array.isArray(ids) ? ids.map(String) : []
}

const saveImported = ({ sql }: UnitOfWork, ids: readonly string[]): Promise<void> => saveState(sql, STATE, JSON.stringify(ids))

function parseSystems(text: string): readonly Listed[] {
  const refuse = (problem: string): SystemFileUnusableError => new SystemFileUnusableError(`Cannot read "config.yml": ${problem}`)
  let file: Json
  try {
    file = parseYaml(text)
  } catch (error) {
    throw error instanceof YamlError ? refuse(error.message) : error
  }
  const systems = isJsonObject(file) ? (file['systems'] ?? null) : file
  if (systems === null) return []
  if (!Array.isArray(systems)) throw refuse('"systems" is not a list')
  return systems.map((one: Json, at) => parseSystem(one, (problem) => refuse(`system ${at + 1}${problem}`)))
}

function parseSystem(one: Json, refuse: (problem: string) => Error): Listed {
  if (!isJsonObject(one)) throw refuse(' is not made of names and values')
  const name = scalarText(one['name'])
  const host = scalarText(one['host'])
  if (name === undefined || host === undefined) throw refuse(' needs a name and a host')
  const users = one['users'] ?? null
  if (users !== null && !Array.isArray(users)) throw refuse(': "users" is not a list of e-mail addresses')
  return { name, host, port: scalarText(one['port']) ?? DEFAULT_PORT, token: scalarText(one['token']), users: users?.map(String) }
}

/**
 * Returns a value of config.yml as text, also if it is a number: names, ports and tokens may lack quotes. `undefined` for empty text and
 * other types.
 */
function scalarText(value: Json | undefined): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined
}
