import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SampleOutcome } from '../../samples/sample-store.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Deadlines } from '../session/deadlines.ts'

/**
 * Parameters of a `SystemMonitor`, the object that polls one system: services, timeouts, and callbacks that store samples or change the
 * status.
 */
export type MonitorParts = {
  readonly system: string
  readonly clock: Clock
  readonly log: Log
  readonly deadlines: Deadlines
  /**
   * Times, in epoch ms, of takeovers within the last minute. In a takeover, another agent replaced the open connection of this system's
   * agent. They happened while another hub polled the system.
   */
  readonly earlierTakeoversMs: readonly number[]
  /**
   * Opens an SSH connection to the agent at the system's current host and port, and resolves to the session. Rejects if that fails;
   * aborting `signal` ends the attempt.
   */
  readonly dial: (signal: AbortSignal) => Promise<AgentSession>
  /**
   * Compares a sample, fetched over SSH from the address `peer`, with the system's known machine. Resolves to a reason if the sample is of
   * another machine, otherwise to `undefined`.
   */
  readonly otherMachine: (peer: string, sample: Sample) => Promise<string | undefined>
  /**
   * Stores a sample and resolves to the outcome: stored, or why not (paused system, not owned by this hub, already stored, storing paused).
   * `remark` is a sentence about a problem of the agent, such as two agents with one fingerprint.
   */
  readonly store: (sample: Sample, link: AgentSession['link'], remark: string | undefined) => Promise<SampleOutcome>
  readonly storeDrives: (report: DiskHealthReport) => Promise<void>
  /**
   * Adds `work`, a function that starts the first poll of an agent that has just connected, to a queue. The queue limits how many first
   * polls start at once.
   */
  readonly inTurn: (work: () => void) => void
  /**
   * Queues low-priority `work`, such as a reading of drives, to be called once, when no first poll of a reconnected agent is queued any
   * more.
   */
  readonly afterPolls: (work: () => void) => void
  /**
   * Function that returns the width of a group of polls, in ms: 100 to 1000. All systems whose time falls into the same width are polled at
   * its start.
   */
  readonly groupMs: () => number
  /**
   * Returns the remaining grace period in ms for the system's agent to reconnect. It begins after a suspension of this hub, a failure of
   * its database, or a change of the owner hub. 0 when there is none.
   */
  readonly settlingMs: () => number
  /**
   * Sets the system's status to `down` in the database, with a reason as a sentence for users. Called after all retries failed, and when an
   * agent of the system was refused.
   */
  readonly markDown: (reason: string) => Promise<void>
  /** Replaces the stored reason (a sentence for users) why the system is down. Does nothing if the system is not down. */
  readonly explainDown: (reason: string) => Promise<void>
}
