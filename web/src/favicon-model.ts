import type { SystemStatus } from './api/system-record.ts'

export type FaviconName = 'favicon' | 'favicon-green' | 'favicon-red'

/**
 * Returns the name of the browser tab's icon for the statuses of all systems. It is `favicon-red` when any system is down, `favicon-green`
 * when none is down and one is up, else `favicon`.
 */
export function faviconFor(statuses: readonly SystemStatus[]): FaviconName {
  if (statuses.includes('down')) return 'favicon-red'
  return statuses.includes('up') ? 'favicon-green' : 'favicon'
}
