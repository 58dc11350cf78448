import type { Database } from '../../platform/db/database.ts'
import { fnv1a } from '../../platform/fnv1a.ts'
import type { AgentSession } from '../session/agent-session.ts'

/** Interval between two polls of the same system, in ms (60 s). */
export const POLL_EVERY_MS = 60_000

/**
 * Minimum interval between two polls of a system, in ms (28 s). An agent caches its last sample for 30 s, so an earlier poll would fetch
 * the same sample twice.
 */
const LEAST_POLL_DISTANCE_MS = 28_000

/**
 * Average number of systems, 20, up to which polls are bundled at one moment, so that the hub handles several responses at once. With more
 * systems, polls are bundled over a shorter interval.
 */
const GROUP_SYSTEMS = 20
const GROUP_WIDTHS_MS = [1000, 500, 200] as const
const LEAST_GROUP_MS = 100
/**
 * Maximum width in ms of a group of polls while a user views live charts: 100 on `sqlite`, 500 on `postgres`. All systems whose time falls
 * into the same width are polled at its start. Smaller values spread polls more evenly.
 */
const LIVE_GROUP_MS = { sqlite: LEAST_GROUP_MS, postgres: 500 } as const

/**
 * Returns the width in ms of a group of polls, within which systems are polled together: 1000, 500, 200 or 100. It is the widest that holds
 * on average at most 20 of the `systems` (their number). While a live viewer is connected (`isWatched`), it is at most 100 on SQLite and
 * 500 on PostgreSQL.
 */
export function groupMs(systems: number, isWatched: boolean, database: Database['name']): number {
  const most = GROUP_WIDTHS_MS.find((ms) => (systems * ms) / POLL_EVERY_MS <= GROUP_SYSTEMS) ?? LEAST_GROUP_MS
  return isWatched ? Math.min(most, LIVE_GROUP_MS[database]) : most
}

/**
 * Returns the offset into each minute, in ms from 0 to 59,999, at which a system is polled. It is a hash of the system's id, rounded down
 * to a multiple of `stepMs` (ms).
 */
export function phaseOf(systemId: string, stepMs: number): number {
  const moment = fnv1a(systemId) % POLL_EVERY_MS
  return moment - (moment % stepMs)
}

/**
 * Returns the milliseconds from `nowMs` to the system's next poll: 28 to 60 s. The next poll is at the system's offset into a minute. If
 * that is too soon, it is halfway to the offset in the following minute, so that no minute lacks a sample.
 */
export function untilNextPoll(systemId: string, nowMs: number, stepMs: number): number {
  const wait = POLL_EVERY_MS - ((nowMs + POLL_EVERY_MS - phaseOf(systemId, stepMs)) % POLL_EVERY_MS)
  return wait < LEAST_POLL_DISTANCE_MS ? Math.ceil((wait + POLL_EVERY_MS) / 2) : wait
}

/** System that a hub begins to poll. `sampledAtMs`: time of its last stored sample in epoch ms; `undefined` without one. */
export type UnpolledSystem = { readonly id: string; readonly sampledAtMs: number | undefined }

/**
 * Returns a copy of a list of systems in the order in which a starting hub polls them: first those whose next sample is due first. Systems
 * without a sample in the last two minutes come last, because their history has a gap already.
 */
export function firstPollOrder<System extends UnpolledSystem>(systems: readonly System[], nowMs: number): readonly System[] {
  const isRecent = ({ sampledAtMs = 0 }: System): boolean => sampledAtMs > nowMs - 2 * POLL_EVERY_MS && sampledAtMs <= nowMs
  const [recent, others] = [systems.filter(isRecent), systems.filter((one) => !isRecent(one))]
  return [...recent.toSorted((a, b) => (a.sampledAtMs ?? 0) - (b.sampledAtMs ?? 0)), ...others]
}

/**
 * Maximum wait in ms (10 s) before a system's first poll after a hub start. The wait leaves the hub's first seconds to systems whose sample
 * is due.
 */
const LONGEST_FIRST_WAIT_MS = 10_000

/**
 * Returns the milliseconds until the first poll of a system whose agent has connected to a hub that has just started: until its next sample
 * is due, 10 s at most. 0 for a system without a sample in the last minute.
 */
export function untilFirstPoll(sampledAtMs: number | undefined, nowMs: number): number {
  const age = sampledAtMs === undefined ? POLL_EVERY_MS : nowMs - sampledAtMs
  return age < 0 || age >= POLL_EVERY_MS ? 0 : Math.min(LONGEST_FIRST_WAIT_MS, POLL_EVERY_MS - age)
}

type NextTry = {
  /** Agent session that the failed try of a poll used. `undefined` when the hub could open no session. */
  readonly session: AgentSession | undefined
  readonly afterMs: number
  /** Abort signal of the poll. It ends the wait before the next try; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/**
 * Waits `afterMs` before the next try of a poll. Resolves early when the SSH session closes, because the hub can reconnect at once. Rejects
 * on abort.
 */
export function untilNextTry({ session, afterMs, signal }: NextTry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = (): void => reject(signal.reason)
  const timer = setTimeout(resolve, afterMs)
  if (session?.link === 'ssh') void session.closed.then(() => resolve())
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  })
}

/** Interval between readings of a system's drives (SMART), in ms (1 h), when the agent reports none. */
const STANDARD_INTERVAL_MS = 3_600_000

/** Minimum interval between drive readings (SMART), in ms (60 s). It applies even if the agent reports a shorter one. */
const LEAST_INTERVAL_MS = 60_000

/**
 * Object that decides when a system's drives (SMART) are read. `isDue` returns true at first, and then once per interval: the one that the
 * agent reports (`learnInterval`), else 1 h. The caller reports each reading with `started` and `succeeded`.
 */
export type DriveSchedule = {
  readonly isDue: (nowMs: number) => boolean
  readonly learnInterval: (intervalMs: number | undefined) => void
  readonly started: (nowMs: number) => void
  readonly succeeded: () => void
  /** Called when the system's agent has reconnected. If its last drive reading failed, a new one is then due at once. */
  readonly reconnected: () => void
}

export function driveSchedule(): DriveSchedule {
  let intervalMs = STANDARD_INTERVAL_MS
  let lastMs: number | undefined
  let isGood = false
  return {
    // A last reading in the future means that the clock was set back since.
    isDue: (nowMs) => lastMs === undefined || nowMs < lastMs || nowMs - lastMs >= intervalMs,
    learnInterval(fromAgentMs) {
      if (fromAgentMs !== undefined && fromAgentMs > 0) intervalMs = Math.max(fromAgentMs, LEAST_INTERVAL_MS)
    },
    started(nowMs) {
      lastMs = nowMs
      isGood = false
    },
    succeeded: () => (isGood = true),
    reconnected() {
      if (!isGood) lastMs = undefined
    },
  }
}
