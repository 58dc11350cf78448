import { SESSION_TOKENS } from '../../accounts/sessions/sessions.ts'
import { TEMPORARY_TOKENS } from '../../accounts/universal-token.ts'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { SETTINGS } from '../../settings/settings.ts'

/** Collection of the event of a request for a stream of another hub. Its record's id is the client's. */
export const STREAM_REQUESTS = 'stream_requests'

const followed: ReadonlySet<string> = new Set([
  'users',
  'fingerprints',
  'universal_tokens',
  'alerts',
  'user_settings',
  'quiet_hours',
  SESSION_TOKENS,
  TEMPORARY_TOKENS,
  SETTINGS,
  STREAM_REQUESTS,
])

/** A sample changes other fields of its system every minute. */
const decidingFields = ['name', 'host', 'port', 'status', 'users'] as const

/** True for an event that other hubs of the database must act on, although they may receive no messages. Samples are not among them. */
export function isRelevantChange(event: RecordEvent): boolean {
  if (event.collection !== 'systems') return followed.has(event.collection)
  const { action, record, previous } = event
  if (action !== 'update') return true
  return previous !== undefined && decidingFields.some((field) => JSON.stringify(record[field]) !== JSON.stringify(previous[field]))
}
