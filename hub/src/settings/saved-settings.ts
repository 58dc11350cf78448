import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../platform/db/database.ts'
import { badRequest } from '../records/model/record-error.ts'
import { changesBetween, noteInAudit, type Author } from '../records/writing/audit-log.ts'
import type { HubSettings } from './settings.ts'

const lockedOut = {
  smtp: { enabled: { code: 'validation_mfa_without_mail', message: 'Signing in needs codes that are mailed: switch that off first.' } },
}

/**
 * Refuses a change of the settings that turns off the hub's emails while signing in needs an emailed code (`needsMail`). Users who need
 * such a code could not sign in then. Throws 400 with field errors; otherwise does nothing.
 */
export function refuseMailLockout(before: HubSettings, after: HubSettings, needsMail: boolean): void {
  if (before.smtp.enabled && !after.smtp.enabled && needsMail)
    throw badRequest('An error occurred while saving the new settings.', lockedOut)
}

/**
 * Writes an audit log entry with the old and new value of all settings that differ, in the transaction that stores them. `by` is the
 * author. The mail password is masked.
 */
export function noteChangedSettings(
  unit: UnitOfWork,
  nowMs: number,
  { by, before, after }: { readonly by: Author; readonly before: HubSettings; readonly after: HubSettings },
): Promise<void> {
  const changes = changesBetween(settingsAsJson(before), settingsAsJson(after), (path) => path === 'smtp.password')
  return noteInAudit(unit, nowMs, { by, action: 'update', target: 'settings', changes })
}

/**
 * Converts the hub's settings to JSON objects by section (such as `smtp`) and name, with the mail password as plain text. Equal settings
 * give equal JSON.
 */
export const settingsAsJson = ({
  meta,
  smtp,
  batch,
  backups,
  logs,
  rateLimits,
  trustedProxy,
}: HubSettings): Readonly<Record<string, JsonObject>> => ({
  meta: { ...meta },
  smtp: { ...smtp },
  batch: { ...batch },
  backups: { ...backups },
  logs: { ...logs },
  rateLimits: {
    ...rateLimits,
    rules: rateLimits.rules.map(({ label, audience, maxRequests, duration }) => ({ label, audience, maxRequests, duration })),
  },
  trustedProxy: { ...trustedProxy },
})
