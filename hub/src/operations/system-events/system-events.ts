import { ownValue } from '@vedette/protocol/own-value'
import type { ContainerEvent, Sample } from '@vedette/protocol/metrics/sample'
import type { InfoJson } from '@vedette/protocol/wire/info-json'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { SystemEventTable, Tables } from '../../platform/db/schema.ts'

/**
 * Maximum number of stored events per system, 2000, such as "down"; the oldest are deleted. Events of its containers do not count here and
 * have an equal limit of their own.
 */
export const MOST_KEPT = 2_000

/** Value (`''`) of the column `system` in the table `system_events` for events of the hub itself, such as its start. */
const HUB = ''

export type SystemChange = { readonly system: string; readonly previous: SystemFields; readonly next: SystemFields }

/**
 * Stores the events that follow from changes of systems' records, such as a new status. Each change has the fields before (`previous`) and
 * after (`next`). Runs in the transaction of the changes.
 */
export async function noteChanges(unit: UnitOfWork, changes: readonly SystemChange[], nowMs: number): Promise<void> {
  for (const { system, previous, next } of changes) {
    const events = eventsBetween(previous, next, nowMs)
    if (events.length > 0) await addEvents(unit, system, events)
  }
}

export const noteHubEvent = (unit: UnitOfWork, event: SystemEvent): Promise<void> => addEvents(unit, HUB, [event])

async function addEvents(unit: UnitOfWork, system: string, events: readonly SystemEvent[]): Promise<void> {
  const rows = events.map(({ at, kind, text }) => ({ system, at, kind, said: text }))
  await unit.sql.insertInto('system_events').values(rows).execute()
  await deleteOldest(unit, system, 'not in')
}

/**
 * Maximum difference between the agent's and the hub's clock, in ms (2 min), up to which the container events of a sample are stored. With
 * a larger difference they are dropped.
 */
const MOST_LAG_MS = 120_000
/**
 * Maximum age of a container event, in ms (1 day), before the time of the sample that contains it. An older event is dropped. Agents
 * usually send events of the last ten minutes.
 */
const OLDEST_MS = 86_400_000

type ReportedEvents = {
  readonly system: string
  readonly sample: Pick<Sample, 'takenAtMs' | 'containerEvents'>
  readonly receivedAtMs: number
}

/**
 * Stores the events of containers, such as an exit, that a sample contains and that are not stored yet. Events over 1 day old are left out,
 * and all if the agent's clock is unknown or differs by over 2 min. An agent repeats each event in several samples.
 */
export async function noteContainerEvents(unit: UnitOfWork, { system, sample, receivedAtMs }: ReportedEvents): Promise<void> {
  const { takenAtMs, containerEvents = [] } = sample
  if (takenAtMs === undefined || Math.abs(receivedAtMs - takenAtMs) > MOST_LAG_MS) return
  const events = containerEvents.filter(({ atMs }) => atMs > takenAtMs - OLDEST_MS && atMs <= takenAtMs + MOST_LAG_MS).map(toRow)
  if (events.length === 0) return
  const stored = await unit.sql
    .selectFrom('system_events')
    .select(['at', 'kind', 'container', 'exit_code'])
    .where('system', '=', system)
    .where('kind', 'in', containerKinds)
    .where('at', '>=', Math.min(...events.map(({ at }) => at)))
    .execute()
  const known = new Set(stored.map(identityOf))
  const rows = events.filter((event) => !known.has(identityOf(event))).map((event) => ({ ...event, system, said: '' }))
  if (rows.length === 0) return
  await unit.sql.insertInto('system_events').values(rows).execute()
  await deleteOldest(unit, system, 'in')
}

type ContainerRow = Pick<Selectable<SystemEventTable>, 'at' | 'kind' | 'container' | 'exit_code'>

const toRow = ({ atMs, container, exitCode, outOfMemory }: ContainerEvent): ContainerRow => ({
  at: Math.trunc(atMs),
  kind: outOfMemory ? 'container-out-of-memory' : 'container-exited',
  container,
  exit_code: exitCode ?? null,
})

const identityOf = ({ at, kind, container, exit_code }: ContainerRow): string => JSON.stringify([at, kind, container, exit_code])

/**
 * Deletes a system's oldest stored events beyond {@link MOST_KEPT}. The SQL operator `which` selects the kinds: `in` for events of
 * containers, `not in` for all others.
 */
async function deleteOldest({ sql }: UnitOfWork, system: string, which: 'in' | 'not in'): Promise<void> {
  const first = await sql
    .selectFrom('system_events')
    .select('at')
    .where('system', '=', system)
    .where('kind', which, containerKinds)
    .orderBy('at', 'desc')
    .offset(MOST_KEPT)
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return
  await sql
    .deleteFrom('system_events')
    .where('system', '=', system)
    .where('kind', which, containerKinds)
    .where('at', '<=', first.at)
    .execute()
}

export async function deleteEventsOf({ sql }: UnitOfWork, system: string): Promise<void> {
  await sql.deleteFrom('system_events').where('system', '=', system).execute()
}

export async function deleteEventsBefore({ sql }: UnitOfWork, atMs: number): Promise<void> {
  await sql.deleteFrom('system_events').where('at', '<', atMs).execute()
}

/** Time range in which events of a system are loaded, in epoch ms: `fromMs` inclusive, `toMs` exclusive. */
export type EventWindow = { readonly fromMs: number; readonly toMs: number }

/**
 * Loads the events of a system and of the hub in a time range (epoch ms), oldest first, at most the 4,000 newest. If the system's status
 * changed before the range, the first item is the last such change.
 */
export async function loadEvents(kysely: Kysely<Tables>, system: string, { fromMs, toMs }: EventWindow): Promise<readonly SystemEvent[]> {
  const columns = ['at', 'kind', 'said', 'container', 'exit_code'] as const
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
      .limit(2 * MOST_KEPT)
      .execute(),
  ])
  // Only this program writes to the table.
  return [...before, ...within.toReversed()].map(({ at, kind, said, container, exit_code }) => ({
    at,
    kind: kind as SystemEventKind,
    text: said,
    ...(container === null ? {} : { container }),
    ...(exit_code === null ? {} : { exitCode: exit_code }),
  }))
}

/**
 * Type of the fields of a system's record, as object from name to value. Two states of it, before and after a change, are compared to find
 * events.
 */
export type SystemFields = Readonly<Record<string, unknown>>

/**
 * Map from the new status of a system to the kind of event that is stored for it, such as `down`. `pending` gives `resumed`, because only a
 * resume leads to it.
 */
const kinds: Readonly<Record<string, SystemEventKind>> = { up: 'up', down: 'down', paused: 'paused', pending: 'resumed' }

/**
 * Returns the events that follow from a change of a system's record, in order: a restart of the machine, then a new status. Empty for other
 * changes.
 */
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

/**
 * Returns the machine's boot time in epoch ms when the newer `info` has a lower uptime, so the machine has restarted. `undefined` when it
 * has not, or an uptime is unknown.
 */
function restartBetween({ u: before = 0, at: beforeMs = 0 }: InfoJson, { u: after = 0, at: afterMs = 0 }: InfoJson): number | undefined {
  return before > 0 && after > 0 && after < before && afterMs > beforeMs ? afterMs - Math.round(after * 1000) : undefined
}

/**
 * Returns the object `info` of a system's record: agent data with short names, such as the uptime `u`. Returns `{}` if the record has none.
 * Only the hub writes this field.
 */
const infoOf = ({ info }: SystemFields): InfoJson => (typeof info === 'object' && info !== null ? info : {})

/** List of the kinds of events that report a new status of a system: `up`, `down`, `paused`, `resumed`. */
export const statusKinds = ['up', 'down', 'paused', 'resumed'] as const

/** List of the kinds of events that concern a container of a system: `container-exited`, `container-out-of-memory`. */
const containerKinds = ['container-exited', 'container-out-of-memory'] as const

/**
 * Schema of an event of a system. `at` is in epoch ms; `text` is one sentence with the reason, or empty. Container events have the
 * container's name and, if known, its exit code.
 */
export const systemEvent = z.object({
  at: z.number(),
  kind: z.enum([...statusKinds, 'restarted', 'hub-started', 'hub-stopped', ...containerKinds]),
  text: z.string(),
  container: z.string().exactOptional(),
  exitCode: z.number().exactOptional(),
})
export type SystemEvent = Readonly<z.infer<typeof systemEvent>>
type SystemEventKind = SystemEvent['kind']

type HubLife = { readonly database: Database; readonly clock: Clock; readonly keptFromMs: number }

/**
 * Stores the event "hub started" and deletes all events older than `keptFromMs` (epoch ms). Resolves to an object whose disposal, at the
 * hub's stop, stores the event "hub stopped". A failing database then only loses that event.
 */
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
