import type { SystemStatus } from './api/system-record.ts'

export type FaviconName = 'favicon' | 'favicon-green' | 'favicon-red'

/** Red if any system is down, green if none is and at least one is up, else the default. */
export function faviconFor(statuses: readonly SystemStatus[]): FaviconName {
  if (statuses.includes('down')) return 'favicon-red'
  return statuses.includes('up') ? 'favicon-green' : 'favicon'
}
