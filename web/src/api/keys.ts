/** Time range in epoch ms that may have no end, as part of a TanStack Query key; `toMs` undefined = the range ends now. */
type OpenWindow = { readonly fromMs: number; readonly toMs: number | undefined }
/**
 * Part of a TanStack Query key that identifies a time range. It is the id of a preset range such as `12h`, or start and end in epoch ms.
 */
type SpanKey = string | { readonly fromMs: number; readonly toMs: number }
type RecordsKey = { readonly collection: string; readonly filter: string; readonly sort: string; readonly page: number }
type LogsKey = { readonly filter: string; readonly fromMs: number | undefined; readonly toMs: number | undefined }

/**
 * Object with the TanStack Query keys of the dashboard: arrays such as `['systems']`, or functions that return one, such as
 * `systemAlerts(systemId)`. Invalidating a shorter key covers all keys that begin with it.
 */
export const keys = {
  systems: ['systems'],
  fleetStatus: ['fleet-status'],
  storing: ['storing'],
  hubIdentity: ['hub-identity'],
  firstRun: ['first-run'],
  signInWays: ['sign-in-ways'],
  sendsMail: ['sends-mail'],
  headerSignIn: ['header-sign-in'],
  agentHandout: ['agent-handout'],

  alerts: ['alerts'],
  alertPolicies: ['alert-policies'],
  allSystemAlerts: ['system-alerts'],
  systemAlerts: (systemId: string) => ['system-alerts', systemId],
  systemParts: (systemId: string) => ['system-parts', systemId],
  rulePreviews: (systemId: string) => ['rule-previews', systemId],

  allIncidents: ['incidents'],
  firingIncidents: ['incidents', 'firing'],
  pastIncidents: (search: string) => ['incidents', 'over', search],
  noisyAlerts: ['incidents', 'noisy'],
  deliveries: ['incidents', 'deliveries'],

  // The system's id is second and the time range last: the placeholder functions compare these positions.
  stats: (systemId: string, kind: string, span: SpanKey) => ['stats', systemId, kind, span],
  history: (systemId: string, span: SpanKey) => ['history', systemId, span],
  driveHistory: (systemId: string, span: SpanKey) => ['drive-history', systemId, span],
  systemEvents: (systemId: string, status: string, { fromMs, toMs }: OpenWindow) => ['system-events', systemId, status, fromMs, toMs],
  firedAlerts: (systemId: string, { fromMs, toMs }: OpenWindow) => ['fired-alerts', systemId, fromMs, toMs],
  inventory: (systemId: string, sampledAtMs: number | undefined) => ['inventory', systemId, sampledAtMs],
  lastHour: (systemId: string) => ['last-hour', systemId],
  containerLog: (systemId: string, containerId: string) => ['container-log', systemId, containerId],
  agentText: (id: string) => ['agent-text', id],
  findings: (systemId: string) => ['findings', systemId],

  profile: (userId: string) => ['profile', userId],
  settings: ['settings'],
  savedViews: ['saved-views'],
  sessions: ['sessions'],
  apiKeys: ['api-keys'],
  secondFactors: ['second-factors'],
  requiredApp: (mfaId: string) => ['required-app', mfaId],
  quietHours: ['quiet-hours'],
  push: ['push'],
} as const

/**
 * Object with the TanStack Query keys of the back-office (admin pages): arrays such as `['jobs']`, or functions that return one, such as
 * `records(query)`.
 */
export const officeKeys = {
  collections: ['collections'],
  allRecords: ['records'],
  records: (query: RecordsKey) => ['records', query],
  record: (collection: string, id: string | undefined) => ['record', collection, id],
  recordFilter: (search: string) => ['record-filter', search],
  systemsOfPeople: (people: readonly string[]) => ['systems-of-people', people],
  people: ['people'],
  factorsOf: (person: string) => ['factors-of', person],
  audit: (search: string) => ['audit', search],
  hubSettings: (path: string) => ['hub-settings', path],
  seenAddress: (trustedProxy: unknown) => ['seen-address', trustedProxy],
  backups: ['backups'],
  imports: ['import'],
  jobs: ['jobs'],
  hubs: ['hubs'],
  hubHealth: (span: string) => ['hub-health', span],
  logPages: (query: LogsKey) => ['log-pages', query],
  logHistogram: (query: LogsKey) => ['log-histogram', query],
  logEntry: (id: string) => ['log-entry', id],
  logSize: ['log-size'],
} as const
