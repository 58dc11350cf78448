/** Epoch ms; without an end up to now. */
type OpenWindow = { readonly fromMs: number; readonly toMs: number | undefined }
/** A preset range by its id, or a window. */
type SpanKey = string | { readonly fromMs: number; readonly toMs: number }
type RuleKey = {
  readonly system: string
  readonly name: string
  readonly target: string | undefined
  readonly value: number
  readonly minutes: number
}

/** The keys of everything that the dashboard reads from the hub. A shorter key stands for all keys that begin with it. */
export const keys = {
  systems: ['systems'],
  fleetStatus: ['fleet-status'],
  storing: ['storing'],
  hubIdentity: ['hub-identity'],
  firstRun: ['first-run'],
  signInWays: ['sign-in-ways'],
  sendsMail: ['sends-mail'],
  agentHandout: ['agent-handout'],

  alerts: ['alerts'],
  allSystemAlerts: ['system-alerts'],
  systemAlerts: (systemId: string) => ['system-alerts', systemId],
  systemParts: (systemId: string) => ['system-parts', systemId],
  rehearsal: ({ system, name, target, value, minutes }: RuleKey) => ['rehearsal', system, name, target, value, minutes],
  rehearsed: (systemId: string) => ['rehearsed', systemId],

  allIncidents: ['incidents'],
  firingIncidents: ['incidents', 'firing'],
  pastIncidents: (search: string) => ['incidents', 'over', search],
  noisyAlerts: ['incidents', 'noisy'],
  deliveries: ['incidents', 'deliveries'],

  // The system's id is second, and what is shown of it last: placeholders compare them.
  stats: (systemId: string, kind: string, span: SpanKey) => ['stats', systemId, kind, span],
  history: (systemId: string, span: SpanKey) => ['history', systemId, span],
  systemEvents: (systemId: string, status: string, { fromMs, toMs }: OpenWindow) => ['system-events', systemId, status, fromMs, toMs],
  firedAlerts: (systemId: string, { fromMs, toMs }: OpenWindow) => ['fired-alerts', systemId, fromMs, toMs],
  inventory: (systemId: string, sampledAtMs: number | undefined) => ['inventory', systemId, sampledAtMs],
  lastHour: (systemId: string) => ['last-hour', systemId],
  agentText: (id: string) => ['agent-text', id],
  findings: (systemId: string) => ['findings', systemId],

  profile: (userId: string) => ['profile', userId],
  settings: ['settings'],
  sessions: ['sessions'],
  quietHours: ['quiet-hours'],
  push: ['push'],
} as const
