import type { Collection } from '../../../records/model/collection.ts'
import { idHere } from './rows/fit-record.ts'
import { type ForeignRow, foreignText } from './rows/foreign-rows.ts'
import { leftOut, present, type RowJudgement } from './rows/row-judgement.ts'
import type { StoredHere } from './stored-here.ts'

/**
 * Data needed to decide about imported rows that belong to a user and a system. `here` is this hub's own data; the maps lead from ids of
 * the imported hub to ids in this hub.
 */
export type OwnerFacts = {
  readonly here: StoredHere
  readonly userOf: ReadonlyMap<string, string>
  readonly systemOf: ReadonlyMap<string, string>
}

/** Ids in this hub of an imported row that belongs to a user and a system, such as an alert. `id` is that of the row itself. */
export type OwnedRow = { readonly id: string; readonly user: string; readonly system: string }

type OwnedRowQuery = {
  readonly collection: Collection
  readonly facts: OwnerFacts
  readonly example: string
  readonly isStored: (id: string) => boolean
}

/**
 * Returns the ids in this hub of an imported row that belongs to a user and a system. Otherwise returns the decision: already present, or
 * left out with a reason.
 */
export function ownedRow(row: ForeignRow, { collection, facts, example, isStored }: OwnedRowQuery): OwnedRow | RowJudgement {
  const id = idHere(collection, row)
  if (id === undefined) return leftOut('it has no id', example)
  if (isStored(id)) return present
  const user = facts.userOf.get(foreignText(row, 'user'))
  const system = facts.systemOf.get(foreignText(row, 'system'))
  if (user === undefined) return leftOut('its user is not here', example)
  return system === undefined ? leftOut('its system is not here', example) : { id, user, system }
}
