import type { Sample, ServiceSample } from '@vedette/protocol/metrics/sample'
import { containerIdentity } from '../../history/model/container-identity.ts'
import { identified, type Identified } from './identified-containers.ts'

/** What is wrong with one part of a system, in a word. */
export type Wrong = 'stopped' | 'restarting' | 'unhealthy' | 'failed' | 'inactive'

/** Of the parts with which something is wrong, what; of those that stand and are well, undefined. What is not known of is not among them. */
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
  readonly standing: ReadonlySet<string>
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
  /** Undefined where the sample says nothing of it. */
  readonly read: (seen: Seen) => Conditions | undefined
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
function readHealth({ sample: { containers }, standing, isJustGone }: Seen): Conditions | undefined {
  if (containers === undefined) return undefined
  const found = new Map<string, Wrong | undefined>()
  const present = new Set<string>()
  for (const { identity, container } of identified(containers)) {
    if (standing.size > 0) present.add(identity)
    if (container.health === 'unhealthy') found.set(identity, 'unhealthy')
    else if (container.health !== 'starting' && standing.has(identity)) found.set(identity, undefined)
  }
  for (const identity of standing) if (!present.has(identity) && !isJustGone(identity)) found.set(identity, undefined)
  return found
}

function readStopped({ sample: { containers }, expected, standing, isLooping }: Seen): Conditions | undefined {
  if (containers === undefined) return undefined
  const found = new Map<string, Wrong | undefined>()
  for (const identity of [...expected, ...standing]) found.set(identity, 'stopped')
  for (const { identity, container } of identified(containers)) {
    const wrong = runningOf({ identity, container }, isLooping)
    if (wrong !== undefined || standing.has(identity)) found.set(identity, wrong)
    else found.delete(identity)
  }
  return found
}

const runningOf = ({ identity, container: { status } }: Identified, isLooping: Seen['isLooping']): Wrong | undefined =>
  isLooping(identity) ? 'restarting' : stateIn(status)

/** The engine's own words begin with the state: "Up 2 hours", "Restarting (1) 5 seconds ago", "Exited (137) 3 minutes ago". */
function stateIn(status = ''): Wrong | undefined {
  if (/^restarting\b/i.test(status)) return 'restarting'
  return /^(?:exited|dead|created|removal)\b/i.test(status) ? 'stopped' : undefined
}

function readOneContainer({ sample: { containers }, target, isLooping }: Seen): Conditions | undefined {
  if (containers === undefined) return undefined
  const all = identified(containers)
  const own = all.find(({ container }) => container.name === target) ?? all.find(({ identity }) => identity === containerIdentity(target))
  if (own === undefined) return new Map([['', 'stopped']])
  const wrong = runningOf(own, isLooping)
  // A container that has yet to show that it is well neither begins nor ends anything.
  if (wrong === undefined && own.container.health === 'starting') return undefined
  return new Map([['', wrong ?? (own.container.health === 'unhealthy' ? 'unhealthy' : undefined)]])
}

/** Agents list all services at once; that there is none is what they say when they cannot ask. */
const listed = ({ services = [] }: Sample): readonly ServiceSample[] | undefined => (services.length === 0 ? undefined : services)

function readFailed({ sample, standing }: Seen): Conditions | undefined {
  const services = listed(sample)
  if (services === undefined) return undefined
  const failed = services.flatMap(({ name, state }) => (state === 'failed' ? [[name, 'failed'] as const] : []))
  return new Map<string, Wrong | undefined>([...[...standing].map((name) => [name, undefined] as const), ...failed])
}

/** What is between two states is neither. */
function readOneService({ sample, target }: Seen): Conditions | undefined {
  const services = listed(sample)
  if (services === undefined) return undefined
  const state = services.find(({ name }) => name === target)?.state ?? 'inactive'
  if (state === 'failed' || state === 'inactive') return new Map([['', state]])
  return state === 'active' || state === 'reloading' ? new Map([['', undefined]]) : undefined
}
