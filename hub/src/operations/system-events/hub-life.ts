import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { deleteEventsBefore, noteHubEvent } from './system-events.ts'

type HubLife = { readonly database: Database; readonly clock: Clock; readonly keptFromMs: number }

/** Records the hub's start and its clean stop. Removes events older than `keptFromMs`. */
export async function noteHubLife({ database, clock, keptFromMs }: HubLife): Promise<AsyncDisposable> {
  await database.write(async (unit) => {
    await deleteEventsBefore(unit, keptFromMs)
    await noteHubEvent(unit, { at: clock.now(), kind: 'hub-started', text: '' })
  })
  return {
    // A hub that stops because of a database failure cannot record it.
    [Symbol.asyncDispose]: () =>
      database.write((unit) => noteHubEvent(unit, { at: clock.now(), kind: 'hub-stopped', text: '' })).catch(() => undefined),
  }
}
