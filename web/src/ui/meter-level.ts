export type MeterLevel = 'ok' | 'warn' | 'crit'

const WARN_FROM_PERCENT = 75
const CRIT_FROM_PERCENT = 90

export function levelOf(percent: number): MeterLevel {
  if (percent >= CRIT_FROM_PERCENT) return 'crit'
  return percent >= WARN_FROM_PERCENT ? 'warn' : 'ok'
}

export const levelFill: Readonly<Record<MeterLevel, string>> = { ok: 'bg-ok-fill', warn: 'bg-warn-fill', crit: 'bg-crit-fill' }
