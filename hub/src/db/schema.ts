import type { ColumnType } from 'kysely'

/** Tables of the database that are not collections. Collections have one table each, described by their fields. */
export type Tables = {
  history_rows: HistoryRowTable
  hub_state: HubStateTable
  /** Collections: columns are the collection's fields; only `records/` reads and writes them. */
  [collection: string]: HistoryRowTable | HubStateTable | CollectionTable
}

/** Any collection's row; values are what the two databases can hold alike. */
export type CollectionTable = { [field: string]: ColumnType<string | number | null> }

/** One moment (tier `1m`) or one bucket (roll-ups) of one system. Primary key: system, kind, tier, at. */
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
