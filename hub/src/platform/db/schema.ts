import type { ColumnType, Generated } from 'kysely'

/** Tables of the database that are not collections. Collections have one table each, described by their fields. */
export type Tables = {
  history_rows: HistoryRowTable
  history_systems: HistorySystemTable
  history_series: HistorySeriesTable
  history_open: HistoryOpenTable
  history_blocks: HistoryBlockTable
  history_sizes: HistorySizeTable
  hub_state: HubStateTable
  mail_outbox: MailOutboxTable
  session_tokens: SessionTokenTable
  audit_log: AuditLogTable
  alert_states: AlertStateTable
  incidents: IncidentTable
  notices: NoticeTable
  deliveries: DeliveryTable
  system_events: SystemEventTable
  logs: LogTable
  log_stretches: LogBucketTable
  hub_health: HubHealthTable
  hubs: HubTable
  system_leases: SystemLeaseTable
  duties: DutyTable
  changes: ChangeTable
  attempt_counts: AttemptCountTable
  temporary_tokens: TemporaryTokenTable
  hub_loads: HubLoadTable
  /** Collections. The columns are the collection's fields; only `records/` reads and writes them. */
  [collection: string]:
    | HistoryTable
    | HubStateTable
    | MailOutboxTable
    | SessionTokenTable
    | AuditLogTable
    | AlertStateTable
    | IncidentTable
    | NoticeTable
    | DeliveryTable
    | SystemEventTable
    | LogTable
    | LogBucketTable
    | HubHealthTable
    | HubTable
    | SystemLeaseTable
    | DutyTable
    | ChangeTable
    | AttemptCountTable
    | TemporaryTokenTable
    | HubLoadTable
    | CollectionTable
}

/** A row of any collection. Both databases store these value types alike. */
export type CollectionTable = { [field: string]: ColumnType<string | number | null> }

type HistoryTable = HistoryRowTable | HistorySystemTable | HistorySeriesTable | HistoryOpenTable | HistoryBlockTable | HistorySizeTable

/** Short number of each system in the history. `name`: its id, null after its deletion; `sealed`: samples from this time on are in `history_open`. */
export type HistorySystemTable = { no: Generated<number>; name: string | null; sealed: Generated<number> }

/** Short number of each series key. `used`: the last day whose data contained it, epoch milliseconds. */
export type HistorySeriesTable = { no: Generated<number>; name: string | null; used: Generated<number> }

/** Samples that are not in a block yet, in order of arrival. */
export type HistoryOpenTable = { id: Generated<number>; system: number; at: number; data: Uint8Array }

/** Sealed blocks. Unique: system, part, start. `part`: tier, span and kind. `start`: epoch milliseconds. */
export type HistoryBlockTable = { id: Generated<number>; system: number; part: number; start: number; data: Uint8Array }

/** Size of the blocks of all systems, by tier and start day. Primary key: tier, day. */
export type HistorySizeTable = { tier: string; day: number; blocks: number; bytes: number }

/** History in the format of the first version. One sample (tier `1m`) or one bucket (roll-ups) of one system. Primary key: system, kind, tier, at. */
export type HistoryRowTable = {
  system: string
  /** `system` or `containers`. */
  kind: string
  /** `1m`, `10m` or `2h`. */
  tier: string
  /** Epoch milliseconds of the sample, or of the bucket's start. */
  at: number
  /** JSON: series values; for buckets `{average, minimum, maximum, count}` of them. */
  data: string
}

/** Small values of the hub, such as the id of the database. Primary key: name. */
export type HubStateTable = { name: string; value: string }

/** Queued emails. `due`, `expires`: epoch milliseconds. `job`: encrypted. Primary key: id. */
export type MailOutboxTable = { id: string; due: number; scheduled: number; expires: number; attempts: number; job: string }

/** Session tokens, by their digest. A session may have several. `at`, `expires`: epoch milliseconds. Primary key: digest. */
export type SessionTokenTable = {
  digest: string
  session: string
  account: string
  collection: string
  at: number
  expires: number
  address: string
  browser: string
  /** The admin who acts as the account; empty for the user's own session. */
  by: string
  ended: number
}

/** Audit log. `at`: epoch milliseconds; `changes`: JSON, old and new value of each field. Primary key: no. */
export type AuditLogTable = {
  no: Generated<number>
  at: number
  actor: string
  actorName: string
  action: string
  target: string
  targetId: string
  targetName: string
  changes: string
}

/**
 * State of an alert for one target (`''` for the system); a normal state has no row. `phase`: `pending` or `firing`. `since`: start of
 * the phase. `due`: time at which a pending alert fires. Both are epoch milliseconds. Primary key: alert, target.
 */
export type AlertStateTable = { alert: string; target: string; phase: string; since: number; due: number | null; incident: string }

/**
 * Each period in which an alert was firing. `id`: also the id in `alerts_history`; `kind`: the alert's name; `value`: the measurement
 * at its start. `began`, `ended`: epoch milliseconds. `ending`: `''` while it lasts, `resolved`, or `closed` without a measurement (the
 * alert was removed, or its system paused). Primary key: id.
 */
export type IncidentTable = {
  id: string
  alert: string
  owner: string
  system: string
  kind: string
  target: string
  threshold: number
  minutes: number
  value: number | null
  began: number
  ended: number | null
  ending: string
}

/**
 * Notifications of an incident: one row a transition, written with it. `id`: idempotency key, sent with every retry. `state`: `new`,
 * then `handed` to the owner's channels, or `quiet` (the incident ended before its notification was due). `due`: earliest time to send,
 * epoch milliseconds. `body`: JSON, see `alerts/notifications/notice-outbox.ts`. Primary key: id; unique: incident, transition.
 */
export type NoticeTable = {
  id: string
  incident: string
  transition: string
  owner: string
  system: string
  at: number
  state: string
  due: number
  body: string
}

/**
 * Messages to a user's channels, and their results. `id`: idempotency key, sent with every try. `place`: position in the queue; of one
 * `channel` (a digest of its address) the first waiting row is sent first. `kind`: name of the channel. `notices`: JSON, ids of the
 * reported notices. `job`: encrypted, see `alerts/notifications/delivery-store.ts`. `state`: `waiting`, then `delivered`, `refused` by the
 * channel, or `expired`. `due`: earliest time to send; during a send, the time when its claim expires. `scheduled`: time when `due` was
 * set. `at`, `due`, `scheduled`, `expires`, `done`: epoch milliseconds. `said`: the provider's last response. Primary key: id.
 */
export type DeliveryTable = {
  id: string
  place: number
  owner: string
  channel: string
  kind: string
  notices: string
  job: string
  state: string
  at: number
  due: number
  scheduled: number
  expires: number
  attempts: number
  done: number | null
  said: string
}

/**
 * Events of a system, or of the hub if `system` is empty. `at`: epoch milliseconds. `container`, `exit_code`: of events of a container, null
 * in others and where unknown. Primary key: no.
 */
export type SystemEventTable = {
  no: Generated<number>
  system: string
  at: number
  kind: string
  said: string
  container: Generated<string | null>
  exit_code: Generated<number | null>
}

/**
 * Log of requests and of the hub, in the order written. `created`: record date; `level`: -4, 0, 4 or 8; `status`: of a request's
 * response; `account`: id of the user, `address`: of the client, both `''` when there is none or it is not logged; `data`: JSON.
 * Primary key: seq.
 */
export type LogTable = {
  seq: Generated<number>
  created: string
  level: number
  message: string
  status: number | null
  account: string
  address: string
  data: string
}

/** Size of the log in the 10 minutes from `start`, epoch milliseconds. Primary key: start, level. */
export type LogBucketTable = { start: number; level: number; entries: number; bytes: number; firstSeq: number; lastSeq: number }

/**
 * Health of the hub in the minute before `at`, epoch milliseconds. `cpuPercent`: of one core; `loopLateMs`: largest delay of the event
 * loop; `waiting…`: queued items. Null: unknown. Primary key: at.
 */
export type HubHealthTable = {
  at: number
  cpuPercent: number
  residentBytes: number
  heapBytes: number
  loopLateMs: number
  databaseBytes: number | null
  agents: number
  waitingSamples: number
  waitingMessages: number | null
  waitingLogs: number
}

/**
 * Hubs that use this database. `started_at`, `seen_at`: epoch milliseconds by the database's clock; a row that was not renewed for 6 s
 * belongs to a hub that is gone. `shares`: 1 when the hub has messages and lets other hubs in. `draining`: 1 or 2 when it gives its systems
 * away, see `membership.ts`. `schema_version`: number of migrations that it knows. Primary key: id. Only on PostgreSQL.
 */
export type HubTable = {
  id: string
  name: string
  version: string
  started_at: number
  seen_at: number
  shares: number
  draining: Generated<number>
  schema_version: Generated<number>
}

/** The owner of each system: `hub` is an id of `hubs`. Each new owner has a higher `epoch`. Primary key: system. */
export type SystemLeaseTable = { system: string; hub: string; epoch: number }

/** Work that one hub does for all. `until`: end of the lease, epoch milliseconds by the database's clock. Primary key: name. */
export type DutyTable = { name: string; hub: string; until: number }

/**
 * Journal of committed changes, by which several hubs follow each other. `transaction`: id of PostgreSQL's transaction; `at`: epoch
 * milliseconds by the database's clock; `hub`: the hub that committed it; `event`: encrypted. Primary key: no.
 */
export type ChangeTable = { no: Generated<number>; transaction: Generated<number>; at: number; hub: string; event: string }

/**
 * Counted attempts, when several hubs share them. `key`: digest of the limit and its subject. `since`, `until`: start and end of the
 * window, epoch milliseconds by the database's clock. Primary key: key.
 */
export type AttemptCountTable = { key: string; since: number; until: number; count: number }

/** Universal tokens that are valid for an hour. `token`: encrypted; `until`: epoch milliseconds. Primary key: user. */
export type TemporaryTokenTable = { user: string; token: string; until: number }

/** Last measured load of each hub, see {@link HubHealthTable}. `hub`: an id of `hubs`. Primary key: hub. */
export type HubLoadTable = { hub: string; at: number; cpuPercent: number; residentBytes: number; loopLateMs: number }
