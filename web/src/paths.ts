import { basePath } from './base-path.ts'

/**
 * Object from page to its URL path, or to a function that returns it, relative to the base path of the hub. Only the paths of the
 * back-office and of the documents include the base path.
 */
export const paths = {
  home: '/',
  forgotPassword: '/forgot-password',
  settings: '/settings',
  access: '/settings/access',
  alerts: '/alerts',
  compare: '/compare',
  /**
   * Returns the path of a system's page, such as `/system/web-1`. `nameOrId` is the system's name, or its id when the name is not unique.
   */
  system: (nameOrId: string): string => `/system/${encodeURIComponent(nameOrId)}`,
  users: `${basePath}/_/`,
  systemRecords: `${basePath}/_/#/collections?collection=systems`,
  logs: `${basePath}/_/#/logs`,
  backups: `${basePath}/_/#/settings/backups`,
  documents: `${basePath}/docs/`,
  authProviders: `${basePath}/_/#/settings/auth-providers`,
} as const

/**
 * Returns the decoded name or id of the system from the path of its page: `web-1` for `/system/web-1`. A segment with an invalid
 * percent-encoding is returned unchanged.
 */
export function systemIn(pathname: string): string {
  const segment = pathname.slice(pathname.lastIndexOf('/system/') + '/system/'.length).replace(/\/$/, '')
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const routePatterns = {
  home: '/',
  settings: '/settings',
  access: '/settings/access',
  alerts: '/alerts',
  compare: '/compare',
  system: '/system/:name',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
  verifyEmail: '/verify-email/:token',
  changeEmail: '/change-email/:token',
  acknowledge: '/acknowledge',
  /**
   * Regular expression that matches the paths of the pages for the forgotten password (`/forgot-password`), for links in messages about alerts (`/acknowledge`), and for mailed links (such as
   * `/reset-password/TOKEN`).
   */
  entry: /^\/(?:forgot-password|acknowledge|(?:reset-password|verify-email|change-email)\/[^/]+)\/?$/,
} as const

/**
 * List of the route patterns of the pages that need all systems (home, alerts, comparison, access). While one is shown, the page subscribes
 * to realtime events of all systems.
 */
export const fleetPages: readonly string[] = [routePatterns.home, routePatterns.alerts, routePatterns.compare, routePatterns.access]

/** Object with two URLs of the project on GitHub: `source` (the repository) and `releases`. */
export const projectAddresses = {
  source: 'https://github.com/vedette-monitor/vedette',
  releases: 'https://github.com/vedette-monitor/vedette/releases',
} as const
