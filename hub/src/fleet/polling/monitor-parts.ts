import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SampleOutcome } from '../../samples/sample-store.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { Deadlines } from '../session/deadlines.ts'

/** Everything that the monitor of one system needs from the hub. */
export type MonitorParts = {
  readonly system: string
  readonly clock: Clock
  readonly log: Log
  readonly deadlines: Deadlines
  /** Times of recent takeovers of the system's agent while another hub polled it, epoch milliseconds. */
  readonly earlierTakeoversMs: readonly number[]
  /** Opens a connection to the system's current address. The signal aborts it. */
  readonly dial: (signal: AbortSignal) => Promise<AgentSession>
  /** Stores a sample. `remark` describes a problem of the agent although it responds. */
  readonly store: (sample: Sample, link: AgentSession['link'], remark: string | undefined) => Promise<SampleOutcome>
  readonly storeDrives: (report: DiskHealthReport) => Promise<void>
  /** Queues work that many systems may start at once. */
  readonly inTurn: (work: () => void) => void
  /** Runs work when the queue is empty. */
  readonly afterPolls: (work: () => void) => void
  /** Interval within which systems are polled together; see `groupMs` of `poll.ts`. */
  readonly groupMs: () => number
  /** Milliseconds that the agent still has to reconnect after this hub was suspended, or the former owner was gone. 0 otherwise. */
  readonly settlingMs: () => number
  /** Marks the system as down after all retries failed. */
  readonly markDown: (reason: string) => Promise<void>
  /** Replaces the reason of a system that is already down. */
  readonly explainDown: (reason: string) => Promise<void>
}
