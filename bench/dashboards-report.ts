import type { Sightings } from './fleet-report.ts'

/** What a set of dashboards is told at its start, as its first argument in JSON. `tokens` are sessions, dealt out in turn. */
export type DashboardsOptions = { readonly url: string; readonly count: number; readonly tokens: readonly string[] }

export type DashboardsReport = {
  /** Dashboards that follow their topics now. */
  readonly open: number
  /** Every event about a system since the last report, once for each dashboard that got it. */
  readonly events: Sightings
  /** Events since the start that told a dashboard an older state than it had. */
  readonly disordered: number
}
