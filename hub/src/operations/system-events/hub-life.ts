import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { forgetEventsBefore, noteHubEvent } from './system-events.ts'

type HubLife = { readonly database: Database; readonly clock: Clock; readonly keptFromMs: number }

/** Keeps when the hub started, and when it stops in good order; forgets what is older than anything that is measured. */
export async function noteHubLife({ database, clock, keptFromMs }: HubLife): Promise<AsyncDisposable> {
  await database.write(async (unit) => {
    await forgetEventsBefore(unit, keptFromMs)
    await noteHubEvent(unit, { at: clock.now(), kind: 'hub-started', text: '' })
  })
  return {
    // A hub that must stop because of its database stops without it.
    [Symbol.asyncDispose]: () =>
      database.write((unit) => noteHubEvent(unit, { at: clock.now(), kind: 'hub-stopped', text: '' })).catch(() => undefined),
  }
}
