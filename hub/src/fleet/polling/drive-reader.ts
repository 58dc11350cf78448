import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { decodeSmartDevices } from '@vedette/protocol/wire/smart'
import type { AgentSession } from '../session/agent-session.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import { understands } from '../session/exchange.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { withinBounds } from '../../samples/sample-bounds.ts'

type DriveReaderParts = {
  readonly system: string
  readonly clock: Clock
  readonly log: Log
  readonly storeDrives: (report: DiskHealthReport) => Promise<void>
  /** Runs work after the first polls of agents that reconnected together. */
  readonly afterPolls: (work: () => void) => void
}

/** Reads the drives of one system, on schedule and on request, beside its polls. */
export function driveReader({ system, clock, log, storeDrives, afterPolls }: DriveReaderParts) {
  const schedule = driveSchedule()

  async function read(session: AgentSession): Promise<void> {
    schedule.started(clock.now())
    const reply = await session.ask({ action: 'smart' })
    if (reply.kind !== 'smart') throw new AgentUnavailable('unreadable', `Cannot read the reply: expected drives, got ${reply.kind}`)
    const { devices, problems } = decodeSmartDevices(reply.devices)
    if (problems.length > 0) log.debug('fields of drives left out', { system, problems: problems.slice(0, 10) })
    // The report is incomplete when a drive could not be read, so that drive is not removed.
    const isComplete = reply.complete && devices.length === reply.devices.size
    await storeDrives({ devices: devices.map(withinBounds), complete: isComplete })
    schedule.succeeded()
  }

  function note(error: unknown): void {
    if (error instanceof AgentUnavailable) log.debug('drives not read', { system, failure: error.failure, reason: error.message })
    else log.error('drives not stored', { system, error })
  }

  return {
    read,
    reconnected: schedule.reconnected,

    /**
     * Reads the drives in the background when they are due. Agents without drive support are skipped. `intervalMs` is the interval from
     * the agent, if any.
     */
    readWhenDue(session: AgentSession, intervalMs: number | undefined): void {
      schedule.learnInterval(intervalMs)
      if (!understands(session.agentVersion, 'smart') || !schedule.isDue(clock.now())) return
      schedule.started(clock.now())
      afterPolls(() => void read(session).catch(note))
    },
  }
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
