import type { Json } from '@vedette/protocol/wire/stats-json'
import { mayDo } from '../../records/engine/access.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { RequestFacts } from '../../records/filter/filter-names.ts'
import { badRequest, notFound, type RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import { turnOff } from './alert-edits.ts'
import { inheritAlert, isInherited, loadInherited, lockPolicies } from '../policies/inherited-alerts.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { contextOf } from '../../records/writing/write.ts'

const MOST_MINUTES = 255
/** Maximum length in characters (100) of the name of an alert kind in a request. A longer name is rejected with 400. */
const LONGEST_NAME = 100
/**
 * Maximum length in characters (200) of the target of an alert (such as a container's name) in a request. A longer target is rejected with
 * 400.
 */
export const LONGEST_TARGET = 200
const badData = (): RecordError => badRequest('Bad data.')

type AlertSelection = { readonly name: string; readonly target: string; readonly systems: readonly string[] }

/**
 * Creates or changes one kind of alert of the signed-in user on several systems, in one transaction. Systems that the user may not view are
 * skipped; existing own alerts change only if `overwrite` is true. An alert that comes from a policy becomes an own one. Rejects with 400
 * for invalid values.
 */
export async function setUserAlerts(engine: Engine, facts: RequestFacts, actor: StoredRecord, body: Body): Promise<void> {
  const { name, target, systems } = parseAsked(body)
  const { value = 0, min = 0, overwrite = false } = body
  if (typeof value !== 'number' || typeof overwrite !== 'boolean' || !isMinutes(min)) throw badData()
  const errors = collectionNamed(engine, 'alerts').hooks?.check?.({ name, target, value }, undefined, engine.collections) ?? {}
  if (Object.keys(errors).length > 0) throw badRequest('Bad data.', errors)
  await engine.database.write(async (unit) => {
    for (const id of systems) {
      const system = await engine.store.load('systems', id, unit)
      if (
        system === undefined ||
        !(await mayDo(engine, { collection: collectionNamed(engine, 'systems'), rule: 'view', facts }, system, unit))
      )
        continue
      const wanted = { user: actor.id, system: id, name, target, value, min }
      const [existing] = await engine.store.loadWhere('alerts', { user: actor.id, system: id, name, target }, unit)
      if (existing === undefined) await engine.store.insert(unit, 'alerts', wanted)
      else if (overwrite || isInherited(existing)) await engine.store.update(unit, 'alerts', existing.id, { value, min, ...ownLevels })
    }
  })
}

/** Field values of an alert record that become the user's own: `inherited` false, and 0 for the thresholds that only policies set. */
const ownLevels = { inherited: false, clear: 0, warning: 0, warningMinutes: 0 }

/**
 * Deletes one kind of alert of the signed-in user from several systems, except those that the user may not delete. Where a policy sets the
 * alert, it is turned off. With `inherit` true, the policy sets the alert afterwards: only own alerts are deleted, and one that is pending
 * or firing continues as the policy's. The request body is `{ name, target, systems, inherit }`. Resolves to the number of deleted own
 * alerts. Rejects with 400 for an invalid body.
 */
export async function removeUserAlerts(engine: Engine, facts: RequestFacts, actor: StoredRecord, body: Body): Promise<number> {
  const { name, target, systems } = parseAsked(body)
  const { inherit = false } = body
  if (typeof inherit !== 'boolean') throw badData()
  /**
   * Stores a policy that turns an alert off on its system. An alert that the user deleted is then not set again by a wider policy. Does
   * nothing if no policy would set it.
   */
  async function turnOffInherited(unit: UnitOfWork, alert: { user: string; system: string; name: string; target: string }): Promise<void> {
    const system = await engine.store.load('systems', alert.system, unit)
    if (system === undefined) return
    await lockPolicies(unit)
    if ((await loadInherited(unit, engine.store, { ...alert, owner: actor.id }, system)) !== undefined)
      await turnOff(alert, { unit, store: engine.store })
  }
  const alerts = collectionNamed(engine, 'alerts')
  return engine.database.write(async (unit) => {
    const context = contextOf(engine, unit)
    let removed = 0
    for (const system of systems) {
      if (inherit) await lockPolicies(unit)
      for (const alert of await engine.store.loadWhere('alerts', { user: actor.id, system, name, target }, unit)) {
        if (inherit && isInherited(alert)) continue
        if (!(await mayDo(engine, { collection: alerts, rule: 'delete', facts }, alert, unit))) continue
        removed += 1
        if (inherit && (await inheritAlert({ unit, records: engine.store }, alert))) continue
        await engine.store.remove(unit, 'alerts', alert.id)
        await alerts.hooks?.followed?.(alert, undefined, context)
      }
      if (!inherit) await turnOffInherited(unit, { user: actor.id, system, name, target })
    }
    return removed
  })
}

function parseAsked({ name, target = '', systems }: Body): AlertSelection {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME || !Array.isArray(systems) || systems.length === 0)
    throw badData()
  if (typeof target !== 'string' || target.length > LONGEST_TARGET) throw badData()
  const ids = systems.filter((id) => typeof id === 'string')
  if (ids.length < systems.length) throw badData()
  return { name, target, systems: [...new Set(ids)] }
}

function isMinutes(value: Json): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_MINUTES
}

function collectionNamed(engine: Engine, name: string): Collection {
  const collection = engine.collections.find(name)
  if (collection === undefined) throw notFound()
  return collection
}
