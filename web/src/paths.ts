import { basePath } from './base-path.ts'

/** Every address in the dashboard, built here and matched in routes.tsx below the base path; those of the back-office carry it themselves. */
export const paths = {
  home: '/',
  forgotPassword: '/forgot-password',
  settings: '/settings',
  alerts: '/alerts',
  compare: '/compare',
  /** By name, as people say it; by id where two systems have one name. */
  system: (nameOrId: string): string => `/system/${encodeURIComponent(nameOrId)}`,
  users: `${basePath}/_/`,
  systemRecords: `${basePath}/_/#/collections?collection=systems`,
  logs: `${basePath}/_/#/logs`,
  backups: `${basePath}/_/#/settings/backups`,
  authProviders: `${basePath}/_/#/settings/auth-providers`,
} as const

/** The name or id in the address of a system's page. What is no encoding of anything stands for itself. */
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
  alerts: '/alerts',
  compare: '/compare',
  system: '/system/:name',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
  verifyEmail: '/verify-email/:token',
  changeEmail: '/change-email/:token',
  /** All of those that mail leads to. */
  entry: /^\/(?:forgot-password|(?:reset-password|verify-email|change-email)\/[^/]+)\/?$/,
} as const

/** Pages that receive every change of any system. */
export const fleetPages: readonly string[] = [routePatterns.home, routePatterns.alerts, routePatterns.compare]

/** The project's own addresses, as in `repository` of its package.json. */
export const projectAddresses = {
  source: 'https://github.com/vedette-monitor/vedette',
  releases: 'https://github.com/vedette-monitor/vedette/releases',
} as const
