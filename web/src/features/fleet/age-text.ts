import type { SystemHealth } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import type { NumberFormats } from '../../format/formats.ts'
import { formatAge } from '../../format/duration.ts'

/** How old the values of a system that is not well are; nothing for one that is, and where nothing was ever heard. */
export function ageText({ latest }: System, health: SystemHealth, now: number, formats: NumberFormats): string | undefined {
  if (health === 'up' || latest.sampledAtMs === undefined) return undefined
  return formatAge(now - latest.sampledAtMs, formats)
}
