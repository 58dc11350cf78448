import { ownValue } from '@vedette/protocol/own-value'
import type { InfoJson } from '@vedette/protocol/wire/info-json'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'

/** Maximum events of a system, so that the table stays small. A system that goes up and down each minute fills 1.5 days. */
export const MOST_KEPT = 2_000

/** System id of the hub's own events. */
const HUB = ''

export type SystemChange = { readonly system: string; readonly previous: SystemFields; readonly next: SystemFields }

/** Stores the events of changed systems, in the transaction of the change. */
export async function noteChanges(unit: UnitOfWork, changes: readonly SystemChange[], nowMs: number): Promise<void> {
  for (const { system, previous, next } of changes) {
    const events = eventsBetween(previous, next, nowMs)
    if (events.length > 0) await addEvents(unit, system, events)
  }
}

export const noteHubEvent = (unit: UnitOfWork, event: SystemEvent): Promise<void> => addEvents(unit, HUB, [event])

async function addEvents({ sql }: UnitOfWork, system: string, events: readonly SystemEvent[]): Promise<void> {
  const rows = events.map(({ at, kind, text }) => ({ system, at, kind, said: text }))
  await sql.insertInto('system_events').values(rows).execute()
  const first = await sql
    .selectFrom('system_events')
    .select('at')
    .where('system', '=', system)
    .orderBy('at', 'desc')
    .offset(MOST_KEPT)
    .limit(1)
    .executeTakeFirst()
  if (first !== undefined) await sql.deleteFrom('system_events').where('system', '=', system).where('at', '<=', first.at).execute()
}

export async function deleteEventsOf({ sql }: UnitOfWork, system: string): Promise<void> {
  await sql.deleteFrom('system_events').where('system', '=', system).execute()
}

export async function deleteEventsBefore({ sql }: UnitOfWork, atMs: number): Promise<void> {
  await sql.deleteFrom('system_events').where('at', '<', atMs).execute()
}

/** A half-open time window in epoch milliseconds. */
export type EventWindow = { readonly fromMs: number; readonly toMs: number }

/** Events of a system and of the hub in a window, oldest first. The last status event before the window comes first. */
export async function loadEvents(kysely: Kysely<Tables>, system: string, { fromMs, toMs }: EventWindow): Promise<readonly SystemEvent[]> {
  const columns = ['at', 'kind', 'said'] as const
  const [before, within] = await Promise.all([
    kysely
      .selectFrom('system_events')
      .select(columns)
      .where('system', '=', system)
      .where('at', '<', fromMs)
      .where('kind', 'in', statusKinds)
      .orderBy('at', 'desc')
      .orderBy('no', 'desc')
      .limit(1)
      .execute(),
    kysely
      .selectFrom('system_events')
      .select(columns)
      .where('system', 'in', [system, HUB])
      .where('at', '>=', fromMs)
      .where('at', '<', toMs)
      .orderBy('at', 'desc')
      .orderBy('no', 'desc')
      .limit(MOST_KEPT)
      .execute(),
  ])
  // Only this program writes to the table.
  return [...before, ...within.toReversed()].map(({ at, kind, said }) => ({ at, kind: kind as SystemEventKind, text: said }))
}

/** Fields of a system's record from which events are derived. */
export type SystemFields = Readonly<Record<string, unknown>>

/** Event of each new status. A resumed system is `pending` until its first sample. */
const kinds: Readonly<Record<string, SystemEventKind>> = { up: 'up', down: 'down', paused: 'paused', pending: 'resumed' }

/** Events between two states of a system, in order. */
export function eventsBetween(previous: SystemFields, next: SystemFields, nowMs: number): readonly SystemEvent[] {
  const [before, after] = [infoOf(previous), infoOf(next)]
  const status = next['status']
  const kind = typeof status === 'string' && status !== previous['status'] ? ownValue(kinds, status) : undefined
  const restartedMs = restartBetween(before, after)
  return [
    ...(restartedMs === undefined ? [] : [{ at: restartedMs, kind: 'restarted', text: '' } as const]),
    ...(kind === undefined ? [] : [{ at: nowMs, kind, text: kind === 'down' ? (after.why ?? '') : '' }]),
  ]
}

/** Boot time of the machine in epoch milliseconds, if a later sample has a lower uptime. Late samples are ignored; 0 means unknown. */
function restartBetween({ u: before = 0, at: beforeMs = 0 }: InfoJson, { u: after = 0, at: afterMs = 0 }: InfoJson): number | undefined {
  return before > 0 && after > 0 && after < before && afterMs > beforeMs ? afterMs - Math.round(after * 1000) : undefined
}

/** The `info` field of a record. The hub itself wrote it. */
const infoOf = ({ info }: SystemFields): InfoJson => (typeof info === 'object' && info !== null ? info : {})

/** Events that set the status of a system. */
export const statusKinds = ['up', 'down', 'paused', 'resumed'] as const

/**
 * `at`: epoch milliseconds; `text`: one sentence with the reason, or empty. `restarted`: the machine booted. The hub's own events concern
 * every system, because the hub measured nothing while it was stopped.
 */
export const systemEvent = z.object({
  at: z.number(),
  kind: z.enum([...statusKinds, 'restarted', 'hub-started', 'hub-stopped']),
  text: z.string(),
})
export type SystemEvent = Readonly<z.infer<typeof systemEvent>>
type SystemEventKind = SystemEvent['kind']

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
