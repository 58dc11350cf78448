import { containerPoints, systemPoints } from '@vedette/protocol/metrics/series'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import type { Database } from '../hub/src/platform/db/database.ts'
import { inProcessEventBus } from '../hub/src/platform/events/event-bus.ts'
import { historyStore } from '../hub/src/history/history-store.ts'
import type { AppendedSample } from '../hub/src/history/model/history.ts'
import type { Log } from '../hub/src/platform/log.ts'
import { simulatedMachines, type SimulatedMachine } from './simulated-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Number of systems whose history is computed minute by minute. The other systems get copies of these. */
const WALKED = 2

export type SeededHistory = {
  /**
   * Ids of the systems for which history is written. Their number must be even: the first two are computed, and all others are copies of
   * one or the other.
   */
  readonly systems: readonly string[]
  readonly containers: number
  readonly days: number
  readonly untilMs: number
}

/**
 * Writes past history of systems to a database, as a hub would have stored it. Two systems are computed minute by minute; the others get
 * copies. Returns the number of values of all systems.
 */
export async function seedHistory(db: Database, log: Log, { systems, containers, days, untilMs }: SeededHistory): Promise<number> {
  const startMs = Math.floor((untilMs - days * DAY_MS) / HOUR_MS) * HOUR_MS
  let nowMs = startMs
  const history = historyStore({ db, clock: { now: () => nowMs }, bus: inProcessEventBus(), log })
  const make = simulatedMachines(containers, 'websocket')
  const walked = systems.slice(0, WALKED).map((system, index) => ({ system, machine: make(index) }))
  let numbers = 0
  for (let fromMs = startMs; fromMs < untilMs; fromMs += HOUR_MS) {
    const samples = Array.from(
      { length: Math.min(60, Math.ceil((untilMs - fromMs) / MINUTE_MS)) },
      (_, minute) => fromMs + minute * MINUTE_MS,
    ).flatMap((atMs) =>
      walked.map(({ system, machine }, index) => sampleOf(machine, system, { atMs: atMs + phaseMs(index, atMs), startMs })),
    )
    for (const { kinds } of samples) for (const { values } of Object.values(kinds)) numbers += values.length
    nowMs = Math.min(fromMs + HOUR_MS, untilMs)
    await db.write(
      (unit) =>
        history.append(
          unit,
          samples.filter(({ atMs }) => atMs <= untilMs),
        ),
      'process',
    )
    await history.maintain()
  }
  await copyToOthers(db, systems, { startMs, untilMs })
  return (numbers * systems.length) / walked.length
}

/** Returns the offset in ms of a seeded sample within its minute: fixed for each system (`index`), with a small variation over time. */
const phaseMs = (index: number, atMs: number): number => index * 13_000 + ((atMs / MINUTE_MS) % 7)

function sampleOf(
  machine: SimulatedMachine,
  system: string,
  { atMs, startMs }: { readonly atMs: number; readonly startMs: number },
): AppendedSample {
  // Encodes and decodes the sample, so that values are rounded as on the wire.
  const document = decodeDocument(encodeDocument(machine.measure(100_000 + (atMs - startMs) / 1000, false)))
  if (!document.ok) throw new Error('Cannot read what a simulated machine says')
  const { sample } = document
  return { system, atMs, kinds: { system: systemPoints(sample), containers: containerPoints(sample.containers ?? []) } }
}

async function copyToOthers(
  db: Database,
  systems: readonly string[],
  { startMs, untilMs }: { readonly startMs: number; readonly untilMs: number },
) {
  const others = systems.slice(WALKED)
  const copies: { readonly from: number; readonly to: number }[] = []
  await db.write(async (unit) => {
    for (const [index, name] of others.entries()) {
      const source = systems[index % WALKED] ?? ''
      const from = await unit.sql
        .selectFrom('history_systems')
        .select(['no', 'sealed'])
        .where('name', '=', source)
        .executeTakeFirstOrThrow()
      const { sealed } = from
      const to = await unit.sql.insertInto('history_systems').values({ name, sealed }).returning('no').executeTakeFirstOrThrow()
      copies.push({ from: from.no, to: to.no })
    }
  }, 'process')
  // Inserts day by day, as a hub would have: the rows of one system are then far apart in the file.
  for (let day = startMs - 31 * DAY_MS; day < untilMs; day += DAY_MS)
    await db.write(async (unit) => {
      for (const { from, to } of copies) {
        const until = day + DAY_MS
        await unit.sql
          .insertInto('history_blocks')
          .columns(['system', 'part', 'start', 'data'])
          .expression((build) =>
            build
              .selectFrom('history_blocks')
              .select((of) => [of.val(to).as('system'), 'part', 'start', 'data'])
              .where('system', '=', from)
              .where('start', '>=', day)
              .where('start', '<', until),
          )
          .execute()
        await unit.sql
          .insertInto('history_open')
          .columns(['system', 'at', 'data'])
          .expression((build) =>
            build
              .selectFrom('history_open')
              .select((of) => [of.val(to).as('system'), 'at', 'data'])
              .where('system', '=', from)
              .where('at', '>=', day)
              .where('at', '<', until),
          )
          .execute()
      }
    }, 'process')
  const times = systems.length / WALKED
  await db.write(async (unit) => {
    await unit.sql
      .updateTable('history_sizes')
      .set((of) => ({ blocks: of('blocks', '*', times), bytes: of('bytes', '*', times) }))
      .execute()
  }, 'process')
}
