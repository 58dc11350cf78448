import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { RecordStore } from '../../../records/model/record-store.ts'
import { isAdmin, textOf, type StoredRecord } from '../../../records/model/stored-record.ts'
import type { TransferLine } from '../foreign-hub.ts'
import { foreignAlertNames } from './foreign-collections.ts'
import type { ForeignFile } from './foreign-file.ts'
import { isPortablePassword, portablePasswords } from './portable-password.ts'
import { countExport, type ExportCount } from './export-count.ts'

/**
 * Result of converting a record for the export to a Beszel hub: the converted `record`, and the reason `changed` if values were changed. Or
 * `leftOut`, the reason why it cannot be exported.
 */
type Exported = { readonly record: JsonObject; readonly changed?: string } | { readonly leftOut: string }
type ExportRecord = (record: StoredRecord) => Exported

const asItIs: ExportRecord = (record) => ({ record })

const knownAlerts: readonly string[] = foreignAlertNames

const alert: ExportRecord = (record) =>
  knownAlerts.includes(textOf(record, 'name')) && textOf(record, 'target') === ''
    ? { record }
    : { leftOut: 'the other hub has no alert of this kind' }

const container: ExportRecord = (record) =>
  /^[a-f0-9]{6,12}$/.test(record.id) ? { record } : { leftOut: 'its id is not one that the other hub takes' }

const link: ExportRecord = (record) =>
  ['google', 'github'].includes(textOf(record, 'provider'))
    ? { record }
    : { record, changed: 'the provider is to be set up again before its users can sign in' }

/**
 * Map from the name of a collection to the function that converts its records for the export to a Beszel hub. The order is that of the
 * export's printed table.
 */
const conversions = {
  systems: asItIs,
  fingerprints: asItIs,
  universal_tokens: asItIs,
  user_settings: asItIs,
  alerts: alert,
  quiet_hours: asItIs,
  system_details: asItIs,
  containers: container,
  systemd_services: asItIs,
  smart_devices: asItIs,
  _externalAuths: link,
} as const satisfies Readonly<Record<string, ExportRecord>>

const ALERTS_HISTORY = 'alerts_history'
const NEW_PASSWORD = 'their password has to be chosen again: this hub keeps it in a form that the other one cannot check'

/**
 * Exports the records of those collections that the other hub also has into the database file for it. Verified admins also become
 * superusers there. `newPassword`: for admins whose password hash the other hub cannot check. Resolves to counts by collection.
 */
export async function exportRecords(file: ForeignFile, records: RecordStore, newPassword?: string): Promise<readonly TransferLine[]> {
  const users = await records.loadWhere('users', {})
  const lines = [exportUsers(file, users, newPassword)]
  for (const [collection, convert] of Object.entries(conversions)) {
    const sums = countExport(collection)
    exportAll(file, await records.loadWhere(collection, {}), { collection, convert, sums })
    lines.push(sums.line())
  }
  const sums = countExport(ALERTS_HISTORY)
  // A person's history may be long, that of all people too long for the memory.
  for (const { id } of users) {
    const all = await records.loadWhere(ALERTS_HISTORY, { user: id })
    exportAll(file, all, { collection: ALERTS_HISTORY, convert: alert, sums })
  }
  return [...lines, sums.line()]
}

function exportUsers(file: ForeignFile, users: readonly StoredRecord[], newPassword: string | undefined): TransferLine {
  const passwordOf = portablePasswords(newPassword)
  const sums = countExport('users')
  for (const user of users) {
    const account = { ...user, password: passwordOf(user), avatar: '' }
    file.insert('users', account)
    if (isAdmin(user)) file.insert('_superusers', account)
    sums.taken()
    if (!isPortablePassword(user) && !(user['role'] === 'admin' && newPassword !== undefined))
      sums.changed(NEW_PASSWORD, textOf(user, 'email'))
  }
  return sums.line()
}

type Export = { readonly collection: string; readonly convert: ExportRecord; readonly sums: ExportCount }

function exportAll(file: ForeignFile, all: readonly StoredRecord[], { collection, convert, sums }: Export): void {
  for (const record of all) {
    const exported = convert(record)
    const name = textOf(record, 'name') || record.id
    if ('leftOut' in exported) sums.leftOut(exported.leftOut, name)
    else {
      file.insert(collection, exported.record)
      sums.taken()
      if (exported.changed !== undefined) sums.changed(exported.changed, name)
    }
  }
}
