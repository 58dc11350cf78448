import type { ColumnType, Generated } from 'kysely'

/**
 * Map from the name of each database table to the type of its rows, for the query builder Kysely. Each collection has a table of its name.
 */
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
  api_keys: ApiKeyTable
  authenticator_apps: AuthenticatorAppTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  used_challenges: UsedChallengeTable
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
  deleted_tags: DeletedTagTable
  // Row type of a collection's table. The columns are the collection's fields; only `records/` reads and writes them.
  [collection: string]:
    | HistoryTable
    | DeletedTagTable
    | HubStateTable
    | MailOutboxTable
    | SessionTokenTable
    | ApiKeyTable
    | AuthenticatorAppTable
    | RecoveryCodeTable
    | PasskeyTable
    | UsedChallengeTable
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

/**
 * Type of a row of any collection's table: from column name to a text, a number or null. SQLite and PostgreSQL store these values alike.
 */
export type CollectionTable = { [field: string]: ColumnType<string | number | null> }

type HistoryTable = HistoryRowTable | HistorySystemTable | HistorySeriesTable | HistoryOpenTable | HistoryBlockTable | HistorySizeTable

/**
 * Row of `history_systems`: a system's number `no`, which the other history tables use. `name`: its id, null once deleted. Samples before
 * `sealed` (epoch ms) are in compressed blocks.
 */
export type HistorySystemTable = { no: Generated<number>; name: string | null; sealed: Generated<number> }

/**
 * Row of `history_series`: short number `no` of the series whose key is `name`. `used` is the last day whose data contained the series, in
 * epoch ms.
 */
export type HistorySeriesTable = { no: Generated<number>; name: string | null; used: Generated<number> }

/**
 * Row of `history_open`: an encoded sample that is not in a compressed block yet. `system`: `no` of its row in `history_systems`; `at`: its
 * time in epoch ms.
 */
export type HistoryOpenTable = { id: Generated<number>; system: number; at: number; data: Uint8Array }

/**
 * Row of `history_blocks`: compressed samples or averages of a system. `part`: form code (resolution and time span) × 2, plus 1 for
 * container series; see `partOf`. `start`: epoch ms. Unique: system, part, start.
 */
export type HistoryBlockTable = { id: Generated<number>; system: number; part: number; start: number; data: Uint8Array }

/**
 * Row of `history_sizes`: number and bytes of all systems' compressed blocks of one resolution (`tier`) on one start day. Primary key:
 * tier, day.
 */
export type HistorySizeTable = { tier: string; day: number; blocks: number; bytes: number }

/**
 * Row of `history_rows`, the history of the first version: one sample (`tier` `1m`) or aggregated bucket. Primary key: system, kind, tier,
 * at.
 */
export type HistoryRowTable = {
  system: string
  /** Kind of series whose values this row of `history_rows` has: `system` (the machine itself) or `containers`. */
  kind: string
  /** Tier (resolution) of the sample or bucket in this row: `1m`, `10m` or `2h`. */
  tier: string
  /** Time of the sample in this row, or start of the bucket, in epoch ms. */
  at: number
  /** JSON text of the series values; for a bucket an object `{average, minimum, maximum, count}` of such values. */
  data: string
}

/** Row of `hub_state`, a key-value table with small values of the hub, such as the database's id. Primary key: name. */
export type HubStateTable = { name: string; value: string }

/**
 * Row of `mail_outbox`: a queued email. `due`: earliest time of the next attempt, which was set at `scheduled`; both are epoch ms, as is
 * `expires`. `job`: its content, encrypted. Primary key: id.
 */
export type MailOutboxTable = { id: string; due: number; scheduled: number; expires: number; attempts: number; job: string }

/** Row of `session_tokens`: a digest of a login session's token; a session may have several. Times: epoch ms. Primary key: digest. */
export type SessionTokenTable = {
  digest: string
  session: string
  account: string
  collection: string
  at: number
  expires: number
  address: string
  browser: string
  /** Id of the admin who acts as the account's user in this session (impersonation); empty string for the user's own session. */
  by: string
  ended: number
  /** Time of the sign-in with which the session began, in epoch ms; null if it is unknown. Renewing the session keeps it. */
  signedIn: number | null
}

/** Row of `api_keys`: an API key of a user. `digest`: SHA-256 of its text in hex, unique. Times: epoch ms. Primary key: id. */
export type ApiKeyTable = {
  id: string
  digest: string
  /** Id of the account (`users`) that owns the API key. */
  user: string
  name: string
  /** Scope of the API key: `read`, `write` or `ingest`. If the key is limited to tags, ` by tags` follows. */
  scope: string
  /** JSON list of the tags to which the API key is limited, or with which it enrols systems; `''` for none. */
  tags: string
  created: number
  /** Time from which the API key is invalid, in epoch ms; null for never. */
  expires: number | null
  /** Time of the last request with this API key, in epoch ms; null if it was never used. */
  used: number | null
}

/**
 * Row of `deleted_tags`: a tag that an admin deleted in the last day. `by`: id of the admin; `at`: epoch ms; `removed`: JSON with its
 * systems and sources, grants and tag rules, for the undo. Primary key: id.
 */
export type DeletedTagTable = { id: string; tag: string; by: string; at: number; removed: string }

/**
 * Row of `authenticator_apps`: the TOTP secret of an account, encrypted. `active`: 0 until the person has confirmed a code, then 1. `step`:
 * number of the newest time step whose code was used. `created`: epoch ms. Primary key: account.
 */
export type AuthenticatorAppTable = { account: string; secret: string; active: number; step: number; created: number }

/** Row of `recovery_codes`: an unused recovery code of an account. `digest`: keyed digest of the code. Primary key: account, digest. */
export type RecoveryCodeTable = { account: string; digest: string }

/**
 * Row of `passkeys`: a WebAuthn credential of an account. `credential`: its id, unique; `publicKey`: COSE key, both in base64url.
 * `transports`: JSON list. Times: epoch ms; `used`: last sign-in, null for none. Primary key: id.
 */
export type PasskeyTable = {
  id: string
  account: string
  credential: string
  publicKey: string
  counter: number
  transports: string
  name: string
  created: number
  used: number | null
}

/**
 * Row of `used_challenges`: a WebAuthn challenge that was used, so that it is refused a second time. `until`: its expiry in epoch ms.
 * Primary key: digest.
 */
export type UsedChallengeTable = { digest: string; until: number }

/** Row of `audit_log`: an administrative change. `at`: epoch ms; `changes`: JSON, old and new value by field. Primary key: no. */
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
 * Row of `alert_states`: state of an alert for a target such as a disk (`''`: the whole system). Normal states have no row. `phase`:
 * `pending` or `firing`; `since`: its start; `due`: time at which a pending alert fires (epoch ms). `severity`: that of a firing alert.
 * Primary key: alert, target.
 */
export type AlertStateTable = {
  alert: string
  target: string
  phase: string
  since: number
  due: number | null
  incident: string
  severity: Generated<string>
}

/**
 * Row of `incidents`: a period in which an alert was firing. `id`: also its id in `alerts_history`; `kind`: the alert kind, such as `CPU`;
 * `value`: measurement at the start. `ending`: `''` while it lasts, `resolved`, or `closed` (alert changed or deleted, or system paused or
 * pending). `cause`: id of the system whose outage silenced its notification, else `''`. `acknowledger` and `note`: who acknowledged or
 * snoozed it, with which note; `snoozed`: end of that. `remind`: next reminder; `reminders`: their number. `severity`: the highest so far.
 * Times: epoch ms. `unanswered`: time from which the minutes of escalation steps count; `escalate`: time of the next step, or of the
 * messages about the end; `escalated`: minutes of the last step. Null: none.
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
  cause: Generated<string>
  acknowledged: Generated<number | null>
  acknowledger: Generated<string>
  note: Generated<string>
  snoozed: Generated<number | null>
  remind: Generated<number | null>
  reminders: Generated<number>
  severity: Generated<string>
  unanswered: Generated<number | null>
  escalate: Generated<number | null>
  escalated: Generated<number | null>
}

/**
 * Row of `notices`: a queued notification of an alert's firing period (`incident`) or a drive. `transition`: `fired`, `worse`,
 * `reminder-N`, `escalated-N`, `unreached-N` or `resolved`; `resolved-N` for somebody to whom it was escalated (N is `worse-N` after a
 * change to critical). `state`: `new`, `held` by quiet hours, `silenced` by an outage, `outlasting` (that is over), `grouped` in a window,
 * then `handed` (passed to the owner's channels) or `quiet` (not sent). `due`: earliest time to send, epoch ms. `body`: JSON, see
 * `alerts/notifications/notice.ts`. Unique: incident, transition.
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
 * Row of `deliveries`: a message to a user's channel. Rows with equal `channel` (a digest of its address) are sent in order of `place`.
 * `state`: `waiting`, `delivered`, `refused` by the channel, or `expired`. `due` (epoch ms): earliest time of the next try; during a try,
 * end of the sending hub's claim. `scheduled`: time when `due` was set. `said`: last response. `job`: encrypted JSON with the channel's
 * address and the destinations already reached.
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
 * Row of `system_events`: an event of a system, or of the hub if `system` is empty. `at`: epoch ms. `container` and `exit_code` belong to
 * container events; otherwise null. Primary key: no.
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
 * Row of `logs`: a log entry of a request or of the hub. `created`: time such as `2026-11-21 06:30:00.000Z`; `level`: -4 debug, 0 info, 4
 * warn or 8 error; `status`: HTTP status of a request. `account` (user id) and `address` are `''` if unknown. `data`: JSON. Primary key:
 * seq.
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

/**
 * Row of `log_stretches`: number and bytes of the log entries of one level in the 10 minutes from `start` (epoch ms). `firstSeq`,
 * `lastSeq`: their range of `seq`. Primary key: start, level.
 */
export type LogBucketTable = { start: number; level: number; entries: number; bytes: number; firstSeq: number; lastSeq: number }

/**
 * Row of `hub_health`: measurements of the hub in the minute before `at` (epoch ms). `cpuPercent`: percent of one core; `loopLateMs`:
 * largest delay of the event loop. `waiting…`: number of samples, messages to users and log entries in queues. Null means unknown. Primary
 * key: at.
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
 * Row of `hubs`: a hub of this database. `seen_at`: last renewal; after 6 s without one the hub is dead. `shares`: 1 for one of several
 * hubs. `draining`: it gives its systems away, 1 by an admin's wish, 2 as its clock is wrong. `schema_version`: number of its migrations.
 * Only on PostgreSQL.
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

/** Row of `system_leases`: the hub that monitors a system. `epoch` is a fencing number, higher with each new owner. Primary key: system. */
export type SystemLeaseTable = { system: string; hub: string; epoch: number }

/**
 * Row of `duties`: a background task that one hub runs for all. `until`: end of its lease, database time in epoch ms. Primary key: name.
 */
export type DutyTable = { name: string; hub: string; until: number }

/**
 * Row of `changes`: a committed record event, which other hubs read. `transaction`: PostgreSQL's transaction id; `at`: epoch ms; `hub`: id
 * of the hub that committed it; `event`: encrypted JSON.
 */
export type ChangeTable = { no: Generated<number>; transaction: Generated<number>; at: number; hub: string; event: string }

/**
 * Row of `attempt_counts`: a rate-limit counter that several hubs share. `key`: digest of the limit's name and the counted key, such as an
 * address. `since`, `until`: time window, epoch ms.
 */
export type AttemptCountTable = { key: string; since: number; until: number; count: number }

/** Row of `temporary_tokens`: a universal token valid for an hour. `token`: encrypted; `until`: epoch ms. Primary key: user. */
export type TemporaryTokenTable = { user: string; token: string; until: number }

/**
 * Row of `hub_loads`: last measured CPU, memory and event loop delay of one hub. The fields mean the same as in {@link HubHealthTable}.
 * `hub` is an id of `hubs`. Primary key: hub.
 */
export type HubLoadTable = { hub: string; at: number; cpuPercent: number; residentBytes: number; loopLateMs: number }
