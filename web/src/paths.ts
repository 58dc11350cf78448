/** Every address in the dashboard, built here and matched in routes.tsx. */
export const paths = {
  home: '/',
  forgotPassword: '/forgot-password',
  /** By name, as people say it; by id where two systems have one name. */
  system: (nameOrId: string): string => `/system/${encodeURIComponent(nameOrId)}`,
  users: '/_/',
  systemRecords: '/_/#/collections?collection=systems',
  logs: '/_/#/logs',
  backups: '/_/#/settings/backups',
  authProviders: '/_/#/settings/auth-providers',
} as const

export const routePatterns = {
  home: '/',
  system: '/system/:name',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
} as const

/** The project's own addresses, as in `repository` of its package.json. */
export const projectAddresses = {
  source: 'https://github.com/vedette-monitor/vedette',
  releases: 'https://github.com/vedette-monitor/vedette/releases',
} as const
