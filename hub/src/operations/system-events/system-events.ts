import { ownValue } from '@vedette/protocol/own-value'
import type { InfoJson } from '@vedette/protocol/wire/info-json'
import type { Kysely } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'

/** Of each system the newest are kept: one that goes up and down each minute fills a day and a half, no disk. */
export const MOST_KEPT = 2_000

/** The system of what happened to the hub itself. */
const HUB = ''

export type SystemChange = { readonly system: string; readonly previous: Seen; readonly next: Seen }

/** Keeps what happened with changes of systems, in the unit of work that stores them. */
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

export async function forgetEvents({ sql }: UnitOfWork, system: string): Promise<void> {
  await sql.deleteFrom('system_events').where('system', '=', system).execute()
}

export async function forgetEventsBefore({ sql }: UnitOfWork, atMs: number): Promise<void> {
  await sql.deleteFrom('system_events').where('at', '<', atMs).execute()
}

/** Half-open, epoch milliseconds. */
export type EventWindow = { readonly fromMs: number; readonly toMs: number }

/** What happened to a system, and to the hub, in a window, oldest first; before it what the system was when the window began. */
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
  // Only what this program wrote stands in the table.
  return [...before, ...within.toReversed()].map(({ at, kind, said }) => ({ at, kind: kind as SystemEventKind, text: said }))
}

/** What a system's record says of it, as far as events follow from it. */
export type Seen = Readonly<Record<string, unknown>>

/** Resuming makes a system wait for its first word. */
const kinds: Readonly<Record<string, SystemEventKind>> = { up: 'up', down: 'down', paused: 'paused', pending: 'resumed' }

/** What happened between two states of a system, in the order it did. */
export function eventsBetween(previous: Seen, next: Seen, nowMs: number): readonly SystemEvent[] {
  const [before, after] = [infoOf(previous), infoOf(next)]
  const status = next['status']
  const kind = typeof status === 'string' && status !== previous['status'] ? ownValue(kinds, status) : undefined
  const restartedMs = restartBetween(before, after)
  return [
    ...(restartedMs === undefined ? [] : [{ at: restartedMs, kind: 'restarted', text: '' } as const]),
    ...(kind === undefined ? [] : [{ at: nowMs, kind, text: kind === 'down' ? (after.why ?? '') : '' }]),
  ]
}

/** When the machine started, where its uptime is less than it was: a later sample says so, not one that came late. 0 is not known. */
function restartBetween({ u: before = 0, at: beforeMs = 0 }: InfoJson, { u: after = 0, at: afterMs = 0 }: InfoJson): number | undefined {
  return before > 0 && after > 0 && after < before && afterMs > beforeMs ? afterMs - Math.round(after * 1000) : undefined
}

/** What the hub itself has put into the record. */
const infoOf = ({ info }: Seen): InfoJson => (typeof info === 'object' && info !== null ? info : {})

/** What a system is from then on. */
export const statusKinds = ['up', 'down', 'paused', 'resumed'] as const

/** `restarted`: the machine, at the moment its uptime began. The hub's own belong to every system: what it slept through nobody measured. */
export type SystemEventKind = (typeof statusKinds)[number] | 'restarted' | 'hub-started' | 'hub-stopped'

/** Epoch milliseconds; `text` is one sentence why, or empty. */
export type SystemEvent = { readonly at: number; readonly kind: SystemEventKind; readonly text: string }
