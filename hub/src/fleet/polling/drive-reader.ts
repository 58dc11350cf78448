import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { decodeSmartDevices } from '@vedette/protocol/wire/smart'
import type { AgentSession } from '../session/agent-session.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { DriveSchedule } from './poll.ts'
import { withinBounds } from '../../samples/sample-bounds.ts'

type DriveReaderParts = {
  readonly system: string
  readonly clock: Clock
  readonly log: Log
  readonly schedule: DriveSchedule
  readonly storeDrives: (report: DiskHealthReport) => Promise<void>
  /**
   * Adds `work`, which reads drives (SMART), to a low-priority queue. It is called once, when no first poll of a reconnected agent is
   * queued any more.
   */
  readonly afterPolls: (work: () => void) => void
}

/**
 * Creates the reader of the drives (SMART) of one system's machine. A user's request is read at once. A scheduled read begins after a
 * stored sample, and waits for the first polls of reconnected agents.
 */
export function driveReader({ system, clock, log, schedule, storeDrives, afterPolls }: DriveReaderParts) {
  async function read(session: AgentSession): Promise<void> {
    schedule.started(clock.now())
    const reply = await session.ask({ action: 'smart' })
    if (reply.kind !== 'smart') throw new AgentUnavailable('unreadable', `Cannot read the reply: expected drives, got ${reply.kind}`)
    const { devices, problems } = decodeSmartDevices(reply.devices)
    if (problems.length > 0) log.debug('unreadable fields of drives ignored', { system, problems: problems.slice(0, 10) })
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
    /**
     * Reads the drives (SMART) over this agent session later, when no first poll of a reconnected agent is queued any more. Errors are
     * logged.
     */
    readLater(session: AgentSession): void {
      schedule.started(clock.now())
      afterPolls(() => void read(session).catch(note))
    },
  }
}
