import { collections } from '../../../records/collections/collections.ts'
import type { RecordTableStore } from '../../../records/engine/engine.ts'
import { recordTableStore } from '../../../records/engine/record-table-store.ts'
import type { Collection } from '../../../records/model/collection.ts'
import { type StoredRecord, textOf } from '../../../records/model/stored-record.ts'
import type { TransferTarget } from '../foreign-hub.ts'

/**
 * Data of this hub before an import, with which imported rows could collide: record ids, email addresses, alert keys and the like. It is
 * loaded once for a plan.
 */
export type StoredHere = {
  readonly users: readonly StoredRecord[]
  readonly systems: readonly StoredRecord[]
  readonly fingerprints: readonly StoredRecord[]
  readonly links: readonly StoredRecord[]
  readonly universalTokens: readonly StoredRecord[]
  readonly settingsOwners: ReadonlySet<string>
  /**
   * Set of the keys of this hub's alerts (user, system and kind), as {@link alertKey} builds them. Alerts for one part of a system
   * (`target`) are not in it. No imported alert may have an equal key.
   */
  readonly alerts: ReadonlySet<string>
  readonly incidents: ReadonlySet<string>
  /** Returns true if a record with this id was stored in the given collection of this hub before the import. */
  readonly has: (collection: Collection, id: string) => boolean
}

/**
 * Returns the key of an alert: user id, system id and alert kind, separated by spaces. No two alerts without a `target` (part of a system)
 * may have the same key.
 */
export const alertKey = (user: string, system: string, name: string): string => `${user} ${system} ${name}`

const counted = [
  'users',
  'systems',
  'fingerprints',
  'alerts',
  'quiet_hours',
  'user_settings',
  'universal_tokens',
  'containers',
  'systemd_services',
  'smart_devices',
  'system_details',
  '_externalAuths',
]

/** Creates a record store on this hub's database that inserts or loads many records at once, for an import. */
export const manyRecordsOf = ({ database, secrets, clock }: TransferTarget): RecordTableStore =>
  recordTableStore({ database, collections, secrets, clock })

export async function loadStoredHere({ database, records }: TransferTarget): Promise<StoredHere> {
  const ids = new Map<string, ReadonlySet<string>>()
  for (const name of counted) ids.set(name, new Set(await records.loadIds(name)))
  const incidents = await database.kysely.selectFrom('incidents').select('id').execute()
  const alerts = await records.loadWhere('alerts', {})
  const settings = await records.loadWhere('user_settings', {})
  return {
    users: await records.loadWhere('users', {}),
    systems: await records.loadWhere('systems', {}),
    fingerprints: await records.loadWhere('fingerprints', {}),
    links: await records.loadWhere('_externalAuths', {}),
    universalTokens: await records.loadWhere('universal_tokens', {}),
    settingsOwners: new Set(settings.map((row) => textOf(row, 'user'))),
    // Alerts with a target watch a part of a system, which alerts of the other hub never do.
    alerts: new Set(
      alerts
        .filter(({ target }) => target === '')
        .map((alert) => alertKey(textOf(alert, 'user'), textOf(alert, 'system'), textOf(alert, 'name'))),
    ),
    incidents: new Set(incidents.map(({ id }) => id)),
    has: ({ name }, id) => ids.get(name)?.has(id) === true,
  }
}
