import type { Database } from '../../platform/db/database.ts'
import { fnv1a } from '../../platform/fnv1a.ts'
import type { AgentSession } from '../session/agent-session.ts'

/** Polling interval of a system. */
export const POLL_EVERY_MS = 60_000

/** Minimum interval between two polls. An agent serves its last measurement for 30 s, so an earlier poll would store it twice. */
const LEAST_DISTANCE_MS = 28_000

/** Maximum systems in a group, collected within 1 s at most. Groups keep the hub from waking for each response. */
const ASKED_TOGETHER = 20
const TOGETHER_MS = [1000, 500, 200] as const
const LEAST_TOGETHER_MS = 100
/**
 * The same with a live viewer. A transaction of a server costs so much that groups of half a second save 1.1 ms of CPU a poll, 60 % of its
 * budget (P1). Of SQLite it costs little, and the events of such a group would come after 9 instead of 5 ms (H2).
 */
const WATCHED_TOGETHER_MS = { sqlite: LEAST_TOGETHER_MS, postgres: 500 } as const

/**
 * Poll times closer than this, in milliseconds, are moved to the start of their interval. Storing and publishing a group costs far less
 * than single samples, but a large group would delay all others.
 */
export function groupMs(systems: number, isWatched: boolean, database: Database['name']): number {
  const most = TOGETHER_MS.find((ms) => (systems * ms) / POLL_EVERY_MS <= ASKED_TOGETHER) ?? LEAST_TOGETHER_MS
  return isWatched ? Math.min(most, WATCHED_TOGETHER_MS[database]) : most
}

/**
 * Milliseconds into the minute at which a system is polled, from a hash of its id. Systems spread evenly, and a restart changes no poll
 * time. `stepMs`: see {@link groupMs}.
 */
export function phaseOf(systemId: string, stepMs: number): number {
  const moment = fnv1a(systemId) % POLL_EVERY_MS
  return moment - (moment % stepMs)
}

/**
 * Milliseconds from `nowMs` to the next poll at the system's phase. It is late enough that the agent has a new measurement, and early
 * enough that charts show no gap (90 s).
 */
export function untilNextPoll(systemId: string, nowMs: number, stepMs: number): number {
  const wait = POLL_EVERY_MS - ((nowMs + POLL_EVERY_MS - phaseOf(systemId, stepMs)) % POLL_EVERY_MS)
  return wait < LEAST_DISTANCE_MS ? wait + POLL_EVERY_MS : wait
}

type NextTry = {
  /** The connection of the failed try. */
  readonly session: AgentSession | undefined
  readonly afterMs: number
  /** Rejects with its reason when the retry is cancelled. */
  readonly signal: AbortSignal
}

/** Waits until the next retry. An agent that lost its SSH connection does not reconnect by itself, so the hub dials it at once. */
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

/** Interval between drive readings when the agent sends none. */
const STANDARD_INTERVAL_MS = 3_600_000

/** Minimum interval, whatever the agent sends: it reads its drives one after the other. */
const LEAST_INTERVAL_MS = 60_000

/**
 * Schedule of a system's drive readings: the first one when the machine's details are known, then at the agent's interval. A failed
 * reading is retried after the same interval, or as soon as the agent reconnects.
 */
export type DriveSchedule = {
  readonly isDue: (nowMs: number) => boolean
  readonly learnInterval: (intervalMs: number | undefined) => void
  readonly started: (nowMs: number) => void
  readonly succeeded: () => void
  /** The agent has reconnected. */
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
