import type { CloseReason } from '../session/agent-session.ts'

/** Tells an agent that another one has its place. */
export const CLONED: CloseReason = { code: 1000, reason: 'another agent with this fingerprint is connected' }

/** Number of takeovers of a live connection, within the window, that shows a conflict of two agents. */
const FIGHT_TAKEOVERS = 3
const WINDOW_MS = 60_000

/** Time for which a conflict is reported after its last takeover. The losing agent reconnects every 10 s. */
const TOLD_MS = 120_000

/**
 * Detects two machines with one fingerprint, such as a cloned disk. They take each other's connection as long as the newcomer wins. An
 * agent that lost its network unnoticed does so once or twice.
 */
export type Takeovers = {
  /** Decides whether another agent may replace a connected one. */
  readonly allow: (newcomer: string, holder: string, nowMs: number) => boolean
  /** Milliseconds since each takeover in the window, for the hub that has the system next. */
  readonly agesMs: (nowMs: number) => readonly number[]
  /** A sentence about the current conflict, if any. */
  readonly remark: (nowMs: number) => string | undefined
}

/**
 * Whether an agent may replace the one that is connected, perhaps to another hub. `agesMs`: milliseconds since each recent takeover of the
 * system, with this one; they move with the system.
 */
export type Takeover = { readonly isAllowed: boolean; readonly agesMs: readonly number[] }

/** No agent is connected. */
export const FREE: Takeover = { isAllowed: true, agesMs: [] }

/** `earlierMs`: times of takeovers on another hub, epoch milliseconds. */
export function takeovers(earlierMs: readonly number[] = []): Takeovers {
  let times = earlierMs
  let fight: { readonly peers: string; readonly atMs: number } | undefined
  return {
    allow(newcomer, holder, nowMs) {
      times = [...times.filter((at) => isWithin(at, nowMs, WINDOW_MS)), nowMs].slice(-FIGHT_TAKEOVERS)
      if (times.length < FIGHT_TAKEOVERS) return true
      fight = { peers: newcomer === holder ? `both from ${holder}` : `${holder} and ${newcomer}`, atMs: nowMs }
      return false
    },
    agesMs: (nowMs) => times.filter((at) => isWithin(at, nowMs, WINDOW_MS)).map((at) => nowMs - at),
    remark: (nowMs) =>
      fight !== undefined && isWithin(fight.atMs, nowMs, TOLD_MS)
        ? `Two agents with the same token and fingerprint connect as this system (${fight.peers}); only one is heard. ` +
          'Delete the fingerprint file of one of them, or give it a token of its own.'
        : undefined,
  }
}

/** A time in the future means that the clock was set back, so its age is unknown. */
const isWithin = (atMs: number, nowMs: number, windowMs: number): boolean => atMs <= nowMs && nowMs - atMs < windowMs
