import { containerIdentity } from '../../history/model/container-identity.ts'
import type { LevelKind, Reading } from './alert-kinds.ts'
import type { Readings } from './recent-readings.ts'

type Targets = Pick<LevelKind, 'isOfOne' | 'stored'>

/** The part of a reading that an alert of this kind with this target watches. */
export function partOf(reading: Reading, kind: Targets, target: string): Reading {
  return kind.isOfOne === true ? only(reading, kind, target) : reading
}

/** The part of all readings that an alert of this kind with this target watches. */
export function ofTarget(readings: Readings, kind: Targets, target: string): Readings {
  return kind.isOfOne === true ? { times: readings.times, targets: only(readings.targets, kind, target) } : readings
}

/** Containers are looked up by their identity. */
function only<Value>(targets: ReadonlyMap<string, Value>, { stored }: Targets, target: string): ReadonlyMap<string, Value> {
  const value = targets.get(stored === 'containers' ? containerIdentity(target) : target)
  return new Map(value === undefined ? [] : [[target, value]])
}
