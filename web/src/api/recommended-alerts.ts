import { setAlert, type AlertWish } from './system-alerts.ts'

/**
 * List of alert rules that suit most machines, which users can create with one button. Each has its kind (`name`), threshold (`value`, 0
 * for none) and delay in minutes. They fire for problems that need attention, not for short load peaks.
 */
export const recommendedAlerts: readonly Omit<AlertWish, 'systems'>[] = [
  { name: 'Status', value: 0, minutes: 2 },
  { name: 'CPU', value: 90, minutes: 15 },
  { name: 'Memory', value: 90, minutes: 10 },
  { name: 'Disk', value: 85, minutes: 10 },
  { name: 'ContainerHealth', value: 0, minutes: 5 },
  { name: 'SystemdFailed', value: 0, minutes: 1 },
]

/**
 * Creates the recommended alert rules (those of `recommendedAlerts`) for the signed-in user on the systems with these ids. Rules that a
 * system has already stay unchanged. Rejects with RequestFailed.
 */
export async function setRecommendedAlerts(systems: readonly string[]): Promise<void> {
  for (const rule of recommendedAlerts) await setAlert({ ...rule, systems }, false)
}
