import { containerIdentity } from '../../history/model/container-identity.ts'
import type { LevelKind, Reading } from './alert-kinds.ts'
import type { Readings } from './recent-readings.ts'

type Targets = Pick<LevelKind, 'isOfOne' | 'stored'>

/** What an alert of this kind with this target looks at, of a reading. */
export function partOf(reading: Reading, kind: Targets, target: string): Reading {
  return kind.isOfOne === true ? only(reading, kind, target) : reading
}

/** The same of many readings. */
export function ofTarget(readings: Readings, kind: Targets, target: string): Readings {
  return kind.isOfOne === true ? { times: readings.times, targets: only(readings.targets, kind, target) } : readings
}

/** Containers go by their identities. */
function only<Value>(targets: ReadonlyMap<string, Value>, { stored }: Targets, target: string): ReadonlyMap<string, Value> {
  const value = targets.get(stored === 'containers' ? containerIdentity(target) : target)
  return new Map(value === undefined ? [] : [[target, value]])
}
