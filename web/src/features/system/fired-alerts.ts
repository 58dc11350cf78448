import { alertLabel } from '../../api/alert-kinds.ts'
import { fetchIncidents } from '../../api/incidents.ts'

/** Time range in which an alert was firing, in epoch ms, for a mark on the charts. `toMs` is `undefined` while the alert is firing. */
export type FiredAlert = { readonly fromMs: number; readonly toMs: number | undefined; readonly label: () => string }

const MOST_MARKED = 200

/**
 * Resolves with a list of at most 200 periods within a time range in which the user's alerts on a system (id `system`) fired. Alerts of the
 * kind `Status` are left out, because charts mark downtime already. `toMs` undefined = until now.
 */
export async function fetchFiredAlerts(
  system: string,
  window: { readonly fromMs: number; readonly toMs: number | undefined },
  signal: AbortSignal,
) {
  const { items } = await fetchIncidents({ system, window, limit: MOST_MARKED }, signal)
  return items.flatMap(({ name, target, beganMs, endedMs }): FiredAlert[] =>
    // The charts mark downtime already.
    name === 'Status' ? [] : [{ fromMs: beganMs, toMs: endedMs, label: () => alertLabel(name, target) }],
  )
}
