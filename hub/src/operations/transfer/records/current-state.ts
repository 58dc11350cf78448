import type { Collection } from '../../../records/model/collection.ts'
import { containers } from '../../../records/collections/containers.ts'
import { smartDevices } from '../../../records/collections/smart-devices.ts'
import { systemDetails } from '../../../records/collections/system-details.ts'
import { systemdServices } from '../../../records/collections/systemd-services.ts'
import type { RecordValues } from '../../../records/model/record-store.ts'
import { rowId } from '../../../samples/current-rows.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import { fitRecord, idHere } from './rows/fit-record.ts'
import { type ForeignRow, foreignRows, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

/** List of the collections with the last state that agents reported of their systems: details, containers, services and drives. */
export const currentCollections: readonly Collection[] = [systemDetails, containers, systemdServices, smartDevices]

/**
 * Yields a decision (import it, already present, or leave it out) for each row of one collection of the imported hub with agents' last
 * reports. `idOf` maps system ids of the imported hub to those in this hub.
 */
export function* judgeCurrentRows(
  { database }: Pick<ForeignHub, 'database'>,
  here: StoredHere,
  { collection, idOf }: { readonly collection: Collection; readonly idOf: ReadonlyMap<string, string> },
): Generator<RowJudgement> {
  const seen = new Set<string>()
  for (const row of foreignRows(database, collection.name)) {
    const system = idOf.get(foreignText(row, 'system'))
    // The id of a system's details is the system's.
    const id = collection === systemDetails ? system : idHere(collection, row)
    const example = foreignText(row, collection === systemDetails ? 'hostname' : 'name')
    if (system === undefined) yield leftOut('its system is not here', example)
    else if (id === undefined) yield leftOut('it has no id', example)
    else if (here.has(collection, id)) yield present
    else if (seen.has(id)) yield leftOut('there is another row for it', example)
    else {
      const { values, changes, problem } = fitRecord(collection, row, { system, ...driveKey(collection, row) })
      seen.add(id)
      if (problem !== undefined) yield leftOut(problem, example)
      else yield { decision: 'taken', record: { ...values, id }, changes: changes.map((reason) => ({ reason, example })) }
    }
  }
}

/**
 * Returns `{ device }` for an imported drive, so that this hub's next reading of drives finds the record. `device` is the serial number or
 * name from which the row's id was made. `{}` if neither fits, and for other collections.
 */
function driveKey(collection: Collection, row: ForeignRow): RecordValues {
  if (collection !== smartDevices) return {}
  const id = foreignText(row, 'id')
  const device = ['serial', 'name'].map((column) => foreignText(row, column)).find((key) => rowId(foreignText(row, 'system'), key) === id)
  return device === undefined ? {} : { device }
}
