import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../platform/db/database.ts'
import { badRequest } from '../records/model/record-error.ts'
import { changesBetween, noteInAudit, type Author } from '../records/writing/audit-log.ts'
import type { HubSettings } from './settings.ts'

const lockedOut = {
  smtp: { enabled: { code: 'validation_mfa_without_mail', message: 'Signing in needs codes that are mailed: switch that off first.' } },
}

/**
 * Throws 400 for a change that stops the emails of the hub while signing in needs codes that are mailed (`needsMail`): nobody could sign in
 * then.
 */
export function refuseMailLockout(before: HubSettings, after: HubSettings, needsMail: boolean): void {
  if (before.smtp.enabled && !after.smtp.enabled && needsMail)
    throw badRequest('An error occurred while saving the new settings.', lockedOut)
}

/** Writes a line in the audit log with all settings that differ, in the transaction that stores them. It does not show the mail password. */
export function noteChangedSettings(
  unit: UnitOfWork,
  nowMs: number,
  { by, before, after }: { readonly by: Author; readonly before: HubSettings; readonly after: HubSettings },
): Promise<void> {
  const changes = changesBetween(settingsAsJson(before), settingsAsJson(after), (path) => path === 'smtp.password')
  return noteInAudit(unit, nowMs, { by, action: 'update', target: 'settings', changes })
}

/** Returns all settings as JSON by part and name, with the mail password. Equal settings have equal texts. */
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
