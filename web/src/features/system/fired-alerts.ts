import { alertLabel } from '../../api/alert-kinds.ts'
import { fetchIncidents } from '../../api/incidents.ts'

/** A time in which an alert was firing, epoch ms; without `toMs` it still is. */
export type FiredAlert = { readonly fromMs: number; readonly toMs: number | undefined; readonly label: () => string }

const MOST_MARKED = 200

/** The alerts of whoever is signed in that fired in a window; without its end up to now. */
export async function fetchFiredAlerts(
  system: string,
  window: { readonly fromMs: number; readonly toMs: number | undefined },
  signal: AbortSignal,
) {
  const { items } = await fetchIncidents({ system, window, limit: MOST_MARKED }, signal)
  return items.flatMap(({ name, target, beganMs, endedMs }): FiredAlert[] =>
    // That a system was down is marked already.
    name === 'Status' ? [] : [{ fromMs: beganMs, toMs: endedMs, label: () => alertLabel(name, target) }],
  )
}
