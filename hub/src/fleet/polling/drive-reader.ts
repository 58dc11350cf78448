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
  /** Runs work after the first polls of agents that dialled together. */
  readonly afterPolls: (work: () => void) => void
}

/** Reads the drives of one system, on schedule and when asked, beside its polls. */
export function driveReader({ system, clock, log, storeDrives, afterPolls }: DriveReaderParts) {
  const schedule = driveSchedule()

  async function read(session: AgentSession): Promise<void> {
    schedule.started(clock.now())
    const reply = await session.ask({ action: 'smart' })
    if (reply.kind !== 'smart') throw new AgentUnavailable('unreadable', `Cannot read the reply: expected drives, got ${reply.kind}`)
    const { devices, problems } = decodeSmartDevices(reply.devices)
    if (problems.length > 0) log.debug('fields of drives left out', { system, problems: problems.slice(0, 10) })
    // A drive that could not be read is no reason to forget it.
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

    /** In the background; agents that know nothing of drives are not asked. `intervalMs` is what the agent said, if it did. */
    readWhenDue(session: AgentSession, intervalMs: number | undefined): void {
      schedule.learnInterval(intervalMs)
      if (!understands(session.agentVersion, 'smart') || !schedule.isDue(clock.now())) return
      schedule.started(clock.now())
      afterPolls(() => void read(session).catch(note))
    },
  }
}

/** How often drives are read when the agent names no interval. */
const STANDARD_INTERVAL_MS = 3_600_000

/** Sooner than this no agent is asked again, whatever it says: drives are read one after the other. */
const LEAST_INTERVAL_MS = 60_000

/**
 * When a system's drives are to be read: first once the machine's facts are known, then at the agent's interval. A failed
 * reading waits as long, unless the agent connects anew.
 */
export type DriveSchedule = {
  readonly isDue: (nowMs: number) => boolean
  readonly learnInterval: (intervalMs: number | undefined) => void
  readonly started: (nowMs: number) => void
  readonly succeeded: () => void
  /** The agent connected anew. */
  readonly reconnected: () => void
}

export function driveSchedule(): DriveSchedule {
  let intervalMs = STANDARD_INTERVAL_MS
  let lastMs: number | undefined
  let isGood = false
  return {
    // A last time in the future: the clock was set back since.
    isDue: (nowMs) => lastMs === undefined || nowMs < lastMs || nowMs - lastMs >= intervalMs,
    learnInterval(told) {
      if (told !== undefined && told > 0) intervalMs = Math.max(told, LEAST_INTERVAL_MS)
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
