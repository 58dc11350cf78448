import { SESSION_TOKENS } from '../../accounts/sessions/sessions.ts'
import { TEMPORARY_TOKENS } from '../../accounts/universal-token.ts'
import { INCIDENTS } from '../../alerts/incidents/incident-access.ts'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { SETTINGS } from '../../settings/settings.ts'

/**
 * Collection name `stream_requests` (without a table) of the event that passes a subscribe request through the database to the hub with the
 * event stream. The event's record id is the stream's client id.
 */
export const STREAM_REQUESTS = 'stream_requests'

const followed: ReadonlySet<string> = new Set([
  'users',
  'fingerprints',
  'universal_tokens',
  'alerts',
  'alert_policies',
  'user_settings',
  'quiet_hours',
  INCIDENTS,
  'system_notes',
  'system_fields',
  'tag_rules',
  SESSION_TOKENS,
  TEMPORARY_TOKENS,
  SETTINGS,
  STREAM_REQUESTS,
])

/**
 * Names of the fields of a system, such as `host` and `status`, whose changes must reach other hubs even if messages between hubs fail.
 * Other fields, such as `info`, may change with every sample.
 */
const decidingFields = ['name', 'host', 'port', 'status', 'users', 'accessTags'] as const

/**
 * Returns true for a record event that other hubs must get even if messages between hubs fail. It is then stored in the table `changes`.
 * For systems, creation, deletion and changes of name, host, port, status, users or `accessTags` (tags that give access) count.
 */
export function isRelevantChange(event: RecordEvent): boolean {
  if (event.collection !== 'systems') return followed.has(event.collection)
  const { action, record, previous } = event
  if (action !== 'update') return true
  return previous !== undefined && decidingFields.some((field) => JSON.stringify(record[field]) !== JSON.stringify(previous[field]))
}
