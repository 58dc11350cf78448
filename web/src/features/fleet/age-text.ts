import type { SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import type { NumberFormats } from '../../format/formats.ts'
import { formatAge } from '../../format/duration.ts'

/**
 * Returns the age of a system's last sample as text, such as `6 min. ago`. `undefined` for a system that is up, because its sample is
 * recent, and for one without a sample.
 */
export function ageText({ latest }: System, health: SystemHealth, now: number, formats: NumberFormats): string | undefined {
  if (health === 'up' || latest.sampledAtMs === undefined) return undefined
  return formatAge(now - latest.sampledAtMs, formats)
}
