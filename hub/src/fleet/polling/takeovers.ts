import type { CloseReason } from '../session/agent-session.ts'

/** Close code and reason text of a WebSocket for an agent that is refused because another agent with the same fingerprint is connected. */
export const CLONED: CloseReason = { code: 1000, reason: 'another agent with this fingerprint is connected' }

/**
 * Number of takeovers within a minute (3) from which two agents are in conflict; the third is refused. In a takeover, a new agent's
 * connection replaces the open one of the same system.
 */
const CONFLICT_TAKEOVERS = 3
const WINDOW_MS = 60_000

/**
 * Time in ms (2 min) after the last takeover (a new agent replaced the connected one) for which users see a conflict of two agents. The
 * refused agent reconnects every 10 s.
 */
const CONFLICT_REPORT_MS = 120_000

/**
 * Counter of one system's takeovers, in which a new agent replaces the connected one. Two machines with one fingerprint, such as cloned
 * disks, cause them again and again. `allow` refuses the third within a minute.
 */
export type Takeovers = {
  /**
   * Counts a try of the agent at `newcomer` to replace the connected agent at `holder` (both remote addresses), and returns true if it may.
   * False from the third try within a minute on.
   */
  readonly allow: (newcomer: string, holder: string, nowMs: number) => boolean
  /**
   * Returns a list of how many ms before `nowMs` each takeover (replacement of the connected agent) of the last minute was. A new owner hub
   * of the system continues to count from them.
   */
  readonly agesMs: (nowMs: number) => readonly number[]
  /**
   * Returns a sentence for users about a conflict of two agents (they replace each other's connection) within the last 2 min. `undefined`
   * when there is none.
   */
  readonly remark: (nowMs: number) => string | undefined
}

/**
 * Decision about a takeover, in which a new agent replaces the connected one of the same system. `isAllowed`: it may. `agesMs`: how many ms
 * ago each takeover of the last minute was, including this one.
 */
export type Takeover = { readonly isAllowed: boolean; readonly agesMs: readonly number[] }

/** Answer to a new agent's request when no other agent is connected: it may connect, and there were no earlier takeovers. */
export const TAKEOVER_ALLOWED: Takeover = { isAllowed: true, agesMs: [] }

/**
 * Creates the counter of takeovers of one system's connection by another agent. `earlierMs`: times of takeovers while another hub polled
 * the system, in epoch ms.
 */
export function takeovers(earlierMs: readonly number[] = []): Takeovers {
  let times = earlierMs
  let fight: { readonly peers: string; readonly atMs: number } | undefined
  return {
    allow(newcomer, holder, nowMs) {
      times = [...times.filter((at) => isWithin(at, nowMs, WINDOW_MS)), nowMs].slice(-CONFLICT_TAKEOVERS)
      if (times.length < CONFLICT_TAKEOVERS) return true
      fight = { peers: newcomer === holder ? `both from ${holder}` : `${holder} and ${newcomer}`, atMs: nowMs }
      return false
    },
    agesMs: (nowMs) => times.filter((at) => isWithin(at, nowMs, WINDOW_MS)).map((at) => nowMs - at),
    remark: (nowMs) =>
      fight !== undefined && isWithin(fight.atMs, nowMs, CONFLICT_REPORT_MS)
        ? `Two agents with the same token and fingerprint connect as this system (${fight.peers}); only one is heard. ` +
          'Delete the fingerprint file of one of them, or give it a token of its own.'
        : undefined,
  }
}

/**
 * Returns true when the time `atMs` lies at or before `nowMs` and less than `windowMs` before it, all in ms. False for times in the future,
 * which occur when the clock was set back.
 */
const isWithin = (atMs: number, nowMs: number, windowMs: number): boolean => atMs <= nowMs && nowMs - atMs < windowMs
