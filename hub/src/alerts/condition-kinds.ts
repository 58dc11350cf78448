import type { ContainerSample, Sample, ServiceSample } from '@vedette/protocol/metrics/sample'
import { containerIdentity } from '../history/container-identity.ts'

/** What is wrong with one part of a system, in a word; undefined: nothing. What is not known is in no list. */
export type Wrong = 'stopped' | 'restarting' | 'unhealthy' | 'failed' | 'inactive'
export type Conditions = ReadonlyMap<string, Wrong | undefined>

/** What a look at a system is told beside the sample itself. */
export type Seen = {
  readonly sample: Sample
  /** Containers that ought to run, by identity. */
  readonly expected: Iterable<string>
  /** Containers that are restarted again and again, by identity. */
  readonly isLooping: (identity: string) => boolean
  /** Things that are not there although the list is; but were a moment ago. */
  readonly isJustGone: (identity: string) => boolean
  /** The one the alert is about; `''` for all. */
  readonly target: string
  /** Of which something waits or goes on. */
  readonly standing: Iterable<string>
}

/** An alert that asks whether something is wrong, not how much. */
export type ConditionKind = {
  readonly name: string
  /** About the one target that the alert names. */
  readonly isOfOne?: true
  /** Looks at containers over time. */
  readonly needsRunning?: true
  /** How long something has to be wrong, of so many minutes: what was found by several looks already is told at once. */
  readonly waitMs: (minutes: number) => number
  readonly read: (seen: Seen) => Conditions
}

const MINUTE_MS = 60_000
const allMinutes = (minutes: number): number => minutes * MINUTE_MS
/** An engine calls a container unhealthy only after several tries, and services are listed every ten minutes. */
const atOnceAtFirst = (minutes: number): number => (minutes - 1) * MINUTE_MS

/** Every alert without a threshold but `Status`. The first two are those of clients. */
export const conditionKinds: readonly ConditionKind[] = [
  { name: 'ContainerHealth', needsRunning: true, waitMs: atOnceAtFirst, read: readHealth },
  { name: 'SystemdFailed', waitMs: atOnceAtFirst, read: readFailed },
  { name: 'ContainerStopped', needsRunning: true, waitMs: allMinutes, read: readStopped },
  { name: 'Container', isOfOne: true, needsRunning: true, waitMs: allMinutes, read: readOneContainer },
  { name: 'Service', isOfOne: true, waitMs: atOnceAtFirst, read: readOneService },
]

const byName = new Map(conditionKinds.map((kind) => [kind.name, kind]))

/** Undefined for a level, `Status`, and an alert that this hub does not know. */
export function conditionKind(name: string): ConditionKind | undefined {
  return byName.get(name)
}

/** Of those that stand and are gone nothing is wrong any more; one that is just being made anew is not known. */
function readHealth({ sample: { containers }, standing, isJustGone }: Seen): Conditions {
  if (containers === undefined) return new Map()
  const here = containers.flatMap((container): [string, Wrong | undefined][] =>
    container.health === 'starting'
      ? []
      : [[containerIdentity(container.name), container.health === 'unhealthy' ? 'unhealthy' : undefined]],
  )
  const present = new Set(containers.map(({ name }) => containerIdentity(name)))
  const gone = [...standing].filter((identity) => !present.has(identity) && !isJustGone(identity))
  return new Map([...gone.map((identity) => [identity, undefined] as const), ...here])
}

function readStopped({ sample: { containers }, expected, standing, isLooping }: Seen): Conditions {
  if (containers === undefined) return new Map()
  const missing = [...expected, ...standing].map((identity) => [identity, 'stopped'] as const)
  return new Map<string, Wrong | undefined>([...missing, ...containers.map((container) => runningOf(container, isLooping))])
}

function runningOf({ name, status }: ContainerSample, isLooping: Seen['isLooping']): [string, Wrong | undefined] {
  const identity = containerIdentity(name)
  return [identity, isLooping(identity) ? 'restarting' : stateIn(status)]
}

/** The engine's own words begin with the state: "Up 2 hours", "Restarting (1) 5 seconds ago", "Exited (137) 3 minutes ago". */
function stateIn(status = ''): Wrong | undefined {
  if (/^restarting\b/i.test(status)) return 'restarting'
  return /^(?:exited|dead|created|removal)\b/i.test(status) ? 'stopped' : undefined
}

function readOneContainer({ sample: { containers }, target, isLooping }: Seen): Conditions {
  if (containers === undefined) return new Map()
  const identity = containerIdentity(target)
  const one = containers.find(({ name }) => name === target) ?? containers.find(({ name }) => containerIdentity(name) === identity)
  if (one === undefined) return new Map([['', 'stopped']])
  const [, wrong] = runningOf(one, isLooping)
  // A container that has yet to show that it is well neither begins nor ends anything.
  if (wrong === undefined && one.health === 'starting') return new Map()
  return new Map([['', wrong ?? (one.health === 'unhealthy' ? 'unhealthy' : undefined)]])
}

/** Agents list all services at once; that there is none is what they say when they cannot ask. */
const listed = ({ services = [] }: Sample): readonly ServiceSample[] | undefined => (services.length === 0 ? undefined : services)

function readFailed({ sample, standing }: Seen): Conditions {
  const services = listed(sample)
  if (services === undefined) return new Map()
  const gone = [...standing].map((name) => [name, undefined] as const)
  const here = services.map(({ name, state }) => [name, state === 'failed' ? 'failed' : undefined] as const)
  return new Map<string, Wrong | undefined>([...gone, ...here])
}

/** What is between two states is neither. */
function readOneService({ sample, target }: Seen): Conditions {
  const services = listed(sample)
  if (services === undefined) return new Map()
  const state = services.find(({ name }) => name === target)?.state ?? 'inactive'
  if (state === 'failed' || state === 'inactive') return new Map([['', state]])
  return state === 'active' || state === 'reloading' ? new Map([['', undefined]]) : new Map()
}
