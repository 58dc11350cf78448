import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** A record of `alerts`, parsed for evaluation. */
export type AlertRule = {
  readonly id: string
  readonly owner: string
  readonly system: string
  /** `Status` or the name of an alert kind. Other names are not evaluated. */
  readonly name: string
  /** The one part of the system that the alert watches, such as a container's name; `''` for the whole system. */
  readonly target: string
  readonly threshold: number
  /** Minutes that count, at least 1. */
  readonly minutes: number
  readonly isFiring: boolean
}

/** Parses a record. Clients send 0 for "at once", and older alerts have no minutes: both become 1 minute. */
export function ruleOf(record: StoredRecord): AlertRule {
  const { id, value, min, triggered } = record
  return {
    id,
    owner: textOf(record, 'user'),
    system: textOf(record, 'system'),
    name: textOf(record, 'name'),
    target: textOf(record, 'target'),
    threshold: typeof value === 'number' ? value : 0,
    minutes: typeof min === 'number' && min >= 1 ? min : 1,
    isFiring: triggered === true,
  }
}
