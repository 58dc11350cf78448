import { setAlert, type AlertWish } from './system-alerts.ts'

/** Rules that fit most machines: they fire for what somebody has to look at, not for every busy minute. */
export const recommendedAlerts: readonly Omit<AlertWish, 'systems'>[] = [
  { name: 'Status', value: 0, minutes: 2 },
  { name: 'CPU', value: 90, minutes: 15 },
  { name: 'Memory', value: 90, minutes: 10 },
  { name: 'Disk', value: 85, minutes: 10 },
  { name: 'ContainerHealth', value: 0, minutes: 5 },
  { name: 'SystemdFailed', value: 0, minutes: 1 },
]

/** Sets the recommended rules on systems. A rule that is there already stays as it is. */
export async function setRecommendedAlerts(systems: readonly string[]): Promise<void> {
  for (const rule of recommendedAlerts) await setAlert({ ...rule, systems }, false)
}
