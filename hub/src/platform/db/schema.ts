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
  log_stretches: LogStretchTable
  hub_health: HubHealthTable
  /** Collections: columns are the collection's fields; only `records/` reads and writes them. */
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
    | LogStretchTable
    | HubHealthTable
    | CollectionTable
}

/** Any collection's row; values are what the two databases can hold alike. */
export type CollectionTable = { [field: string]: ColumnType<string | number | null> }

type HistoryTable = HistoryRowTable | HistorySystemTable | HistorySeriesTable | HistoryOpenTable | HistoryBlockTable | HistorySizeTable

/** The short number of each system in the history. `name` is its id, null once it was deleted; `sealed`: samples from this time on are in the open end. */
export type HistorySystemTable = { no: Generated<number>; name: string | null; sealed: Generated<number> }

/** The short number of each series' key. `used`: the last day whose data was found to hold it, epoch milliseconds. */
export type HistorySeriesTable = { no: Generated<number>; name: string | null; used: Generated<number> }

/** Samples that are in no block yet, in the order of their arrival. */
export type HistoryOpenTable = { id: Generated<number>; system: number; at: number; data: Uint8Array }

/** Unique: system, part, start. `part`: which tier and span, and which kind. `start`: epoch milliseconds. */
export type HistoryBlockTable = { id: Generated<number>; system: number; part: number; start: number; data: Uint8Array }

/** What the blocks of all systems take, by tier and the day they begin on. Primary key: tier, day. */
export type HistorySizeTable = { tier: string; day: number; blocks: number; bytes: number }

/** What the first version stored of the history. One moment (tier `1m`) or one bucket (roll-ups) of one system. Primary key: system, kind, tier, at. */
export type HistoryRowTable = {
  system: string
  /** `system` or `containers`. */
  kind: string
  /** `1m`, `10m` or `2h`. */
  tier: string
  /** Epoch milliseconds: of the sample, or of the bucket's start. */
  at: number
  /** JSON: series values; for buckets `{average, minimum, maximum, count}` of them. */
  data: string
}

/** Small facts the hub must remember, such as which database a data directory belongs to. Primary key: name. */
export type HubStateTable = { name: string; value: string }

/** Letters on their way. `due`, `expires`: epoch milliseconds. `job`: sealed. Primary key: id. */
export type MailOutboxTable = { id: string; due: number; scheduled: number; expires: number; attempts: number; job: string }

/** Tokens that were given, by their digest; several can be of one session. `at`, `expires`: epoch milliseconds. Primary key: digest. */
export type SessionTokenTable = {
  digest: string
  session: string
  account: string
  collection: string
  at: number
  expires: number
  address: string
  browser: string
  /** The admin who acts as the account; empty: the person. */
  by: string
  ended: number
}

/** Who changed what. `at`: epoch milliseconds; `changes`: JSON, by field before and after. Primary key: no. */
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
 * Where an alert stands with one target, `''` for the system; no row: nothing is the matter. `phase`: `pending` or `firing`. `since`: the
 * moment that began, `due`: when a pending one fires unless something happens, both epoch milliseconds. Primary key: alert, target.
 */
export type AlertStateTable = { alert: string; target: string; phase: string; since: number; due: number | null; incident: string }

/**
 * Every time an alert was firing. `id`: also that of the row of `alerts_history`; `kind`: the alert's name; `value`: what was
 * measured when it began. `began`, `ended`: epoch milliseconds; `ending`: `''` while it lasts, `resolved`, or `closed` when nobody
 * measured that it was over: the alert was removed, or its system paused. Primary key: id.
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
 * What people are to be told: one row a transition of an incident, written with it. `id`: the key under which every repeat is
 * sent. `state`: `new` until it was `handed` on to the owner's channels, or is
 * `quiet`: over again before the owner was to be told. `due`: not before, epoch milliseconds. `body`: JSON, see
 * `alerts/notice.ts`. Primary key: id; unique: incident, transition.
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
 * One message on its way to one channel of a person, and afterwards what came of it. `id`: the key under which every try is sent.
 * `place`: in the order of all; of one `channel` (a digest of its address) the first that waits goes first. `kind`: what the channel is
 * called. `notices`: JSON, the ids of what is told. `job`: sealed, see `notifications/delivery-job.ts`. `state`: `waiting`, then `delivered`,
 * `refused` by the channel, or `expired`. `at`, `due` (not before; while it is being sent, when it is anybody's again),
 * `scheduled` (when `due` was set), `expires`, `done`: epoch milliseconds. `said`: the provider's last answer. Primary key: id.
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

/** What happened to a system, or to the hub where `system` is empty. `at`: epoch milliseconds. Primary key: no. */
export type SystemEventTable = { no: Generated<number>; system: string; at: number; kind: string; said: string }

/**
 * What the hub was asked and what it did, in the order it was written. `created`: date as records have it; `level`: -4, 0, 4 or 8; `status`: of a
 * request's answer; `account`: id of who asked, `address`: from where, both `''` where nobody did or it is not kept; `data`: JSON. Primary key: seq.
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

/** How much of the log lies in the ten minutes from `start`, epoch milliseconds. Primary key: start, level. */
export type LogStretchTable = { start: number; level: number; entries: number; bytes: number; firstSeq: number; lastSeq: number }

/**
 * How the hub itself was in the minute before `at`, epoch milliseconds. `cpuPercent`: of one core; `loopLateMs`: how long everything waited
 * at worst; `waiting…`: what was not stored or sent yet. Null: nobody could tell. Primary key: at.
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
