import type { Sightings } from './fleet-report.ts'

/** Arguments of a set of dashboards, in JSON. */
export type DashboardsOptions = {
  readonly url: string
  readonly count: number
  /** Sessions, dealt out in turn. */
  readonly tokens: readonly string[]
  /** The field of a system whose rising number names the event: the uptime by default, or the port that a person changes. */
  readonly mark?: 'uptime' | 'port'
}

export type DashboardsReport = {
  /** Dashboards that follow their topics now. */
  readonly open: number
  /** Every event about a system since the last report, once for each dashboard that got it. */
  readonly events: Sightings
  /** Events since the start that gave a dashboard an older state than it had. */
  readonly disordered: number
}
