import type { Sightings } from './fleet-report.ts'

/** Options of the program that simulates open dashboards, passed as JSON: the hub's URL, number of dashboards, session tokens. */
export type DashboardsOptions = {
  readonly url: string
  readonly count: number
  /** Session tokens with which the simulated dashboards sign in; dashboard number n uses token n modulo their number. */
  readonly tokens: readonly string[]
  /**
   * Field of a system by which the simulated dashboards tell its events apart, because it grows from event to event: `uptime` (the
   * default), or `port`, which the benchmark raises at each change.
   */
  readonly mark?: 'uptime' | 'port'
}

export type DashboardsReport = {
  /** Number of simulated dashboards that are subscribed to their topics now. */
  readonly open: number
  /** Number of event streams that ended since the start. A dashboard opens a new one, as the real one does. */
  readonly lost: number
  /**
   * Log of the system events that the simulated dashboards have received since the last report, one entry for each dashboard that received
   * the event.
   */
  readonly events: Sightings
  /** Number of events since the start that gave a simulated dashboard an older state of a system than before. */
  readonly disordered: number
}
