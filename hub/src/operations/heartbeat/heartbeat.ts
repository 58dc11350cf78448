import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import type { Clock } from '../../platform/clock.ts'
import { errorCode } from '../../platform/error-code.ts'
import type { JobOutcome } from '../jobs/job.ts'
import type { Duties } from '../../platform/cluster/duties.ts'
import { startRepeatedJob, type RepeatedJob } from '../jobs/repeated-job.ts'
import type { Log } from '../../platform/log.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'

/**
 * External monitor to which the hub sends heartbeats: URL, HTTP method, and interval in seconds. `url.reveal()` returns the URL as text;
 * the wrapper keeps it out of logs, because it may contain a key.
 */
export type HeartbeatTarget = {
  readonly url: { readonly reveal: () => string }
  readonly method: 'POST' | 'GET' | 'HEAD'
  readonly intervalSeconds: number
}

export type Heartbeat = {
  readonly target: HeartbeatTarget
  /**
   * Sends a heartbeat to the external monitor now. Resolves to `undefined` after a status 2xx. Otherwise, also without a response in 10 s,
   * resolves to the problem as one sentence without the URL.
   */
  readonly send: () => Promise<string | undefined>
  /**
   * Background job that sends a heartbeat to the external monitor at each interval. The scheduler of jobs lists it. If several hubs share
   * the database, one of them runs it.
   */
  readonly repeated: RepeatedJob
  readonly close: () => Promise<void>
}

const TIMEOUT_MS = 10_000

type Parts = {
  readonly target: HeartbeatTarget
  readonly records: RecordStore
  readonly duties: Duties
  readonly clock: Clock
  readonly log: Log
}

/**
 * Starts to send heartbeats, HTTP requests to an external monitor, at once and then at each interval. That monitor alerts when none
 * arrives. Requests with the method POST contain the state of all systems.
 */
export function startHeartbeat({ target, records, duties, clock, log }: Parts): Heartbeat {
  const closing = new AbortController()

  async function send(): Promise<string | undefined> {
    const { url, method } = target
    try {
      const body = method === 'POST' ? JSON.stringify(await heartbeatBody(records, clock)) : undefined
      const response = await fetch(url.reveal(), {
        method,
        headers: { 'user-agent': 'Vedette-Heartbeat', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      await response.body?.cancel()
      return response.ok ? undefined : `Cannot send the heartbeat: the other side answered ${response.status}`
    } catch (error) {
      return `Cannot send the heartbeat: ${reasonOf(error)}`
    }
  }

  async function beat(): Promise<JobOutcome> {
    const problem = await send()
    if (problem === undefined || closing.signal.aborted) return {}
    log.warn('heartbeat not sent', { problem })
    throw new Error(problem)
  }

  const repeated = startRepeatedJob({ id: 'heartbeat', duties, everyMs: target.intervalSeconds * 1000, clock, run: beat })
  void repeated.run()
  return {
    target,
    send,
    repeated,
    async close() {
      closing.abort()
      await repeated[Symbol.asyncDispose]()
    },
  }
}

/**
 * Resolves to the JSON body of a heartbeat. Its status is `error` when a system is down, `warn` when an alert is firing, otherwise `ok`.
 */
export async function heartbeatBody(records: RecordStore, clock: Clock): Promise<JsonObject> {
  const systems = await records.loadWhere('systems', {})
  const alerts = await records.loadWhere('alerts', { triggered: true })
  const count = (status: string): number => systems.filter((system) => system['status'] === status).length
  const down = systems.filter((system) => system['status'] === 'down')
  const status = down.length > 0 ? 'error' : alerts.length > 0 ? 'warn' : 'ok'
  return {
    status,
    timestamp: new Date(clock.now()).toISOString(),
    msg: `${systems.length} systems, ${down.length} down, ${alerts.length} alerts`,
    systems: { total: systems.length, up: count('up'), down: down.length, paused: count('paused'), pending: count('pending') },
    down_systems: down.map((system) => ({ id: system.id, name: textOf(system, 'name'), host: textOf(system, 'host') })),
    triggered_alerts: alerts.map((alert) => ({
      system_id: textOf(alert, 'system'),
      system_name: textOf(systems.find(({ id }) => id === alert['system']) ?? { id: '' }, 'name'),
      alert_name: textOf(alert, 'name'),
      threshold: alert['value'] ?? 0,
    })),
    beszel_version: ANNOUNCED_VERSION,
  }
}

/**
 * Returns the reason of a failed heartbeat to the external monitor as a short text: a timeout, an error code, or `the connection failed`.
 * The monitor's URL, which may be secret, is not in it.
 */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  return errorCode(error instanceof Error ? error.cause : undefined) ?? 'the connection failed'
}
