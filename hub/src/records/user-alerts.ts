import type { Json } from '@vedette/protocol/wire/stats-json'
import { mayDo } from './access.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import type { RequestFacts } from './filter/request-facts.ts'
import { badRequest, notFound, type RecordError } from './record-error.ts'
import type { Body } from './sent-values.ts'
import type { StoredRecord } from './stored-record.ts'
import { prepareCreate, prepareUpdate } from './write.ts'

const MOST_MINUTES = 255
const badData = (): RecordError => badRequest('Bad data.')

type Asked = { readonly name: string; readonly systems: readonly string[] }

/**
 * One alert of the one who asks on many systems, in one transaction. Systems they may not see are left out without a word. An
 * alert that exists stays as it is unless `overwrite` is true. Throws 400 for what cannot be an alert.
 */
export async function setUserAlerts(engine: Engine, facts: RequestFacts, actor: StoredRecord, body: Body): Promise<void> {
  const { name, systems } = parseAsked(body)
  const { value = 0, min = 0, overwrite = false } = body
  if (typeof value !== 'number' || typeof overwrite !== 'boolean' || !isMinutes(min)) throw badData()
  const alerts = collectionNamed(engine, 'alerts')
  await engine.database.write(async (unit) => {
    for (const id of systems) {
      const system = await engine.store.load('systems', id, unit)
      if (
        system === undefined ||
        !(await mayDo(engine, { collection: collectionNamed(engine, 'systems'), rule: 'view', facts }, system, unit))
      )
        continue
      const wanted = { user: actor.id, system: id, name, value, min }
      const [existing] = await engine.store.loadWhere('alerts', { user: actor.id, system: id, name }, unit)
      if (existing === undefined) await (await prepareCreate(engine, alerts, { ...facts, body: wanted }))(unit)
      else if (overwrite) await (await prepareUpdate(engine, alerts, { ...facts, body: { value, min } }, existing.id))(unit)
    }
  })
}

/** Takes the alert of the one who asks from the systems. Returns how many there were. */
export async function removeUserAlerts(engine: Engine, actor: StoredRecord, body: Body): Promise<number> {
  const { name, systems } = parseAsked(body)
  return engine.database.write(async (unit) => {
    let removed = 0
    for (const system of systems) {
      for (const { id } of await engine.store.loadWhere('alerts', { user: actor.id, system, name }, unit)) {
        await engine.store.remove(unit, 'alerts', id)
        removed += 1
      }
    }
    return removed
  })
}

function parseAsked({ name, systems }: Body): Asked {
  if (typeof name !== 'string' || name === '' || !Array.isArray(systems) || systems.length === 0) throw badData()
  const ids = systems.filter((id) => typeof id === 'string')
  if (ids.length < systems.length) throw badData()
  return { name, systems: [...new Set(ids)] }
}

function isMinutes(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_MINUTES
}

function collectionNamed(engine: Engine, name: string): Collection {
  const collection = engine.collections.find(name)
  if (collection === undefined) throw notFound()
  return collection
}
