import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'

/** A record of `alerts` as it is evaluated. */
export type AlertRule = {
  readonly id: string
  readonly owner: string
  readonly system: string
  /** `Status`, or that of a kind; anything else is not evaluated. */
  readonly name: string
  /** The one part of the system that it is about, such as a container's name; `''` for the whole system. */
  readonly target: string
  readonly threshold: number
  /** What is said to count over, at least 1. */
  readonly minutes: number
  readonly isFiring: boolean
}

/** Clients say 0 for "at once", and so do alerts older than the minutes: both are one minute. */
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
