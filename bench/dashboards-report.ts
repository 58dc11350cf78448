import type { Sightings } from './fleet-report.ts'

/** Options of the program that simulates open dashboards, passed as JSON: the hub's URL, number of dashboards, session tokens. */
export type DashboardsOptions = {
  readonly url: string
  readonly count: number
  /** Session tokens with which the simulated dashboards sign in; dashboard number n uses token n modulo their number. */
  readonly tokens: readonly string[]
  /**
   * Field of a system that the benchmark uses to tell its realtime events apart, because it grows from event to event. It is `uptime` (the
   * default), or `port`, which the benchmark raises at each change.
   */
  readonly mark?: 'uptime' | 'port'
}

export type DashboardsReport = {
  /** Number of simulated dashboards that are subscribed to their realtime topics at the time of the report. */
  readonly open: number
  /**
   * Number of realtime event streams of the simulated dashboards that ended since the start. A dashboard opens a new one, as the real one
   * does.
   */
  readonly lost: number
  /**
   * Log of the system events that the simulated dashboards have received since the last report: one entry (machine, mark, time) for each
   * event and dashboard.
   */
  readonly events: Sightings
  /**
   * Number of realtime events since the start that gave a simulated dashboard an older state of a system than that system's event before.
   */
  readonly disordered: number
}
