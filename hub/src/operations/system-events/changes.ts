import { ownValue } from '@vedette/protocol/own-value'
import type { InfoJson } from '@vedette/protocol/wire/info-json'
import type { SystemEvent, SystemEventKind } from './system-event.ts'

/** What a system's record says of it, as far as events follow from it. */
export type Seen = Readonly<Record<string, unknown>>

/** Resuming makes a system wait for its first word. */
const kinds: Readonly<Record<string, SystemEventKind>> = { up: 'up', down: 'down', paused: 'paused', pending: 'resumed' }

/** What happened between two states of a system, in the order it did. */
export function eventsBetween(previous: Seen, next: Seen, nowMs: number): readonly SystemEvent[] {
  const [before, after] = [infoOf(previous), infoOf(next)]
  const status = next['status']
  const kind = typeof status === 'string' && status !== previous['status'] ? ownValue(kinds, status) : undefined
  const restartedMs = restartBetween(before, after)
  return [
    ...(restartedMs === undefined ? [] : [{ at: restartedMs, kind: 'restarted', text: '' } as const]),
    ...(kind === undefined ? [] : [{ at: nowMs, kind, text: kind === 'down' ? (after.why ?? '') : '' }]),
  ]
}

/** When the machine started, where its uptime is less than it was: a later sample says so, not one that came late. 0 is not known. */
function restartBetween({ u: before = 0, at: beforeMs = 0 }: InfoJson, { u: after = 0, at: afterMs = 0 }: InfoJson): number | undefined {
  return before > 0 && after > 0 && after < before && afterMs > beforeMs ? afterMs - Math.round(after * 1000) : undefined
}

/** What the hub itself has put into the record. */
const infoOf = ({ info }: Seen): InfoJson => (typeof info === 'object' && info !== null ? info : {})
