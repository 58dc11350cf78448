import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { containersMeasured, measured, rolledUpContainers, rolledUpStats, type ContainerStats, type Stats } from './foreign-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The types of averages, their length in minutes, what they are made from, and how long the other hub keeps them. */
const averages = [
  { type: '10m', minutes: 10, from: '1m', keptHours: 12 },
  { type: '20m', minutes: 20, from: '10m', keptHours: 24 },
  { type: '120m', minutes: 120, from: '20m', keptHours: 7 * 24 },
  { type: '480m', minutes: 480, from: '120m', keptHours: 30 * 24 },
] as const

export type ForeignHistory = {
  readonly systems: readonly string[]
  readonly containers: number
  /** When the other hub was stopped. */
  readonly untilMs: number
  /** Hours of single samples; the other hub keeps 1 to 2. */
  readonly sampleHours?: number
  /** Minutes, a multiple of 10, by which the longer periods begin after full ones. */
  readonly phaseMinutes?: number
  /** Whether the machines have every kind of series. */
  readonly isRich?: boolean
}

/** A row as it stands in the database of the other hub. */
export type WrittenRow = {
  readonly system: string
  readonly table: 'system_stats' | 'container_stats'
  readonly type: string
  /** End of its period, before the moment that the other hub takes. */
  readonly endMs: number
  readonly createdMs: number
  readonly stats: Stats | readonly ContainerStats[]
}

/** A database with the schema of the other hub 0.18.8 and no rows of systems. */
export function foreignDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = off; pragma synchronous = off')
  database.exec(readFileSync(new URL('../foreign/0.18.8-head.sql', import.meta.url), 'utf8'))
  for (const table of ['system_stats', 'container_stats', 'alerts', 'fingerprints', 'systems']) database.exec(`delete from ${table}`)
  return database
}

type Made = { readonly stats: Map<string, Stats>; readonly lists: Map<string, readonly ContainerStats[]> }

/** All rows of one system as the other hub would hold them, each type made from the finer one where that is still kept. */
export function* rowsOfSystem(history: ForeignHistory, index: number): Generator<WrittenRow> {
  const made: Made = { stats: new Map(), lists: new Map() }
  yield* sampleRows(history, index, made)
  for (const level of averages) yield* averageRows(history, { index, level, made })
}

function* sampleRows({ systems, containers, untilMs, sampleHours = 1, isRich = false }: ForeignHistory, index: number, made: Made) {
  const secondMs = (index % 50) * 1000 + 137
  const firstMinute = Math.ceil((untilMs - sampleHours * HOUR_MS) / MINUTE_MS)
  for (let minute = firstMinute; minute * MINUTE_MS + secondMs <= untilMs; minute++) {
    const row = { system: systems[index] ?? '', type: '1m', endMs: minute * MINUTE_MS, createdMs: minute * MINUTE_MS + secondMs }
    yield* rowsAt(made, row, measured(index, minute, isRich), containersMeasured(index, minute, containers))
  }
}

type Level = { readonly index: number; readonly level: (typeof averages)[number]; readonly made: Made }

function* averageRows(history: ForeignHistory, { index, level: { type, minutes, from, keptHours }, made }: Level) {
  const { systems, containers, untilMs, phaseMinutes = 0, isRich = false } = history
  const lengthMs = minutes * MINUTE_MS
  const phaseMs = minutes > 10 ? phaseMinutes * MINUTE_MS : 0
  const firstMs = Math.ceil((untilMs - keptHours * HOUR_MS - phaseMs) / lengthMs) * lengthMs + phaseMs
  for (let endMs = firstMs; endMs + 50 <= untilMs; endMs += lengthMs) {
    const parts = partsOf(from, endMs - lengthMs, endMs)
    const own = parts.flatMap((key) => (made.stats.has(key) ? [made.stats.get(key) ?? {}] : []))
    const lists = parts.flatMap((key) => (made.lists.has(key) ? [made.lists.get(key) ?? []] : []))
    const isMade = own.length === parts.length
    const minutesOfOthers = [0, 1].map((part) => (endMs / MINUTE_MS + minutes) * 7 + part)
    yield* rowsAt(
      made,
      { system: systems[index] ?? '', type, endMs, createdMs: endMs + 40 + (index % 9) },
      rolledUpStats(isMade ? own : minutesOfOthers.map((minute) => measured(index, minute, isRich))),
      rolledUpContainers(isMade ? lists : minutesOfOthers.map((minute) => containersMeasured(index, minute, containers))),
    )
  }
}

/** Keys of the finer rows in a time. A sample is taken in its minute, an average ends with its time. */
function partsOf(from: string, startMs: number, endMs: number): readonly string[] {
  const minutes = averages.find(({ type }) => type === from)?.minutes
  const stepMs = (minutes ?? 1) * MINUTE_MS
  const parts: string[] = []
  for (let at = startMs; at < endMs; at += stepMs) parts.push(`${from} ${minutes === undefined ? at : at + stepMs}`)
  return parts
}

type RowPlace = Pick<WrittenRow, 'system' | 'type' | 'endMs' | 'createdMs'>

function* rowsAt(made: Made, row: RowPlace, stats: Stats, list: readonly ContainerStats[]): Generator<WrittenRow> {
  made.stats.set(`${row.type} ${row.endMs}`, stats)
  made.lists.set(`${row.type} ${row.endMs}`, list)
  yield { ...row, table: 'system_stats', stats }
  if (list.length > 0) yield { ...row, table: 'container_stats', stats: list }
}

export const foreignDate = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ')

/** Writes the history of all systems; the rows of each minute of all systems stand together, as a running hub writes them. */
export function writeForeignHistory(database: DatabaseSync, history: ForeignHistory): { readonly rows: number; readonly values: number } {
  const inserts = {
    system_stats: database.prepare('insert into system_stats (id, system, type, stats, created, updated) values (?, ?, ?, ?, ?, ?)'),
    container_stats: database.prepare('insert into container_stats (id, system, type, stats, created, updated) values (?, ?, ?, ?, ?, ?)'),
  }
  const addSystem = database.prepare(
    `insert into systems (id, name, host, port, status, info, users, created, updated) values (?, ?, ?, '45876', 'up', '{}', '[]', ?, ?)`,
  )
  database.exec('begin')
  let rows = 0
  let values = 0
  // Each type is written for all systems in turn, so that the rows of one system are far apart.
  const walks = history.systems.map((_, index) => rowsOfSystem(history, index))
  for (const [index, id] of history.systems.entries()) {
    const date = foreignDate(history.untilMs - 40 * 24 * HOUR_MS)
    addSystem.run(id, `machine ${index}`, `10.1.${index >> 8}.${index & 255}`, date, date)
  }
  for (let isMore = true; isMore;) {
    isMore = false
    for (const walk of walks) {
      const { value, done } = walk.next()
      if (done === true) continue
      isMore = true
      const { table, system, type, createdMs, stats } = value
      const text = JSON.stringify(stats)
      const date = foreignDate(createdMs)
      inserts[table].run(`row${rows++}`, system, type, text, date, date)
      values += text.match(/[:,[]-?\d/g)?.length ?? 0
    }
  }
  database.exec('commit')
  return { rows, values }
}
