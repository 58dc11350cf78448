import type { Sample, ServiceSample } from '@vedette/protocol/metrics/sample'
import { containerIdentity } from '../../history/model/container-identity.ts'
import { identifiedContainers, type IdentifiedContainer } from './identified-containers.ts'

/** Name of a bad condition of a container (`stopped`, `restarting`, `unhealthy`) or a systemd service (`failed`, `inactive`). */
export type BadCondition = 'stopped' | 'restarting' | 'unhealthy' | 'failed' | 'inactive'

/**
 * Map from container identity or service name (`''` in an alert about one) to its bad condition, such as `stopped`. `undefined`: healthy,
 * which resolves an alert. Absent: unknown, or healthy without a pending or firing alert.
 */
export type Conditions = ReadonlyMap<string, BadCondition | undefined>

/**
 * Input for judging one alert rule on containers or services: a sample, the containers that should be running, and the rule's target and
 * unresolved alerts.
 */
export type ConditionInput = {
  readonly sample: Sample
  /**
   * Identities of the containers that should be running, because they ran for 24 h. An identity is the part of a container's name that
   * stays when the container is recreated.
   */
  readonly expected: Iterable<string>
  /** Returns true for a container (by identity) that has restarted at least 3 times in 10 minutes. */
  readonly isLooping: (identity: string) => boolean
  /** Returns true for a recorded container (by identity) that has been missing for less than 90 s, so that it may still be recreated. */
  readonly isJustGone: (identity: string) => boolean
  /** Name of the container or service that the alert rule watches; `''` for all of the system. */
  readonly target: string
  /** Set of the identities of the containers or services for which the evaluated alert rule is pending (waiting to fire) or firing. */
  readonly standing: ReadonlySet<string>
}

/** Definition of an alert kind without a threshold: it checks for a bad condition of a container or service. */
export type ConditionKind = {
  readonly name: string
  /** True when the alert watches one named container or service. Otherwise it watches all of the system. */
  readonly isOfOne?: true
  /**
   * True when the alert kind needs the list of containers that ran earlier, which `RunningContainers` records. Absent for an alert kind
   * that needs only the sample.
   */
  readonly needsRunning?: true
  /** Converts the alert's setting `minutes` to the time, in ms, that the bad condition must last before the alert fires. */
  readonly waitMs: (minutes: number) => number
  /** Reads the good or bad conditions of containers or services from a sample. `undefined` if the sample does not report them. */
  readonly read: (input: ConditionInput) => Conditions | undefined
}

const MINUTE_MS = 60_000
const allMinutes = (minutes: number): number => minutes * MINUTE_MS
/**
 * Converts an alert rule's `minutes` to the wait before it fires, in ms: 1 minute less. Docker and systemd report a condition late, so 1
 * minute means at once.
 */
const lessOneMinute = (minutes: number): number => (minutes - 1) * MINUTE_MS

/**
 * List of the definitions of all alert kinds that check containers or services, which have no threshold. The first two, `ContainerHealth`
 * and `SystemdFailed`, exist in Beszel, too.
 */
export const conditionKinds: readonly ConditionKind[] = [
  { name: 'ContainerHealth', needsRunning: true, waitMs: lessOneMinute, read: readHealth },
  { name: 'SystemdFailed', waitMs: lessOneMinute, read: readFailed },
  { name: 'ContainerStopped', needsRunning: true, waitMs: allMinutes, read: readStopped },
  { name: 'Container', isOfOne: true, needsRunning: true, waitMs: allMinutes, read: readOneContainer },
  { name: 'Service', isOfOne: true, waitMs: lessOneMinute, read: readOneService },
]

/**
 * Returns a map from the identity of each unhealthy container to `unhealthy`. A container with a pending or firing alert gets `undefined`,
 * which ends the alert, once healthy, without health check, or gone for 90 s. Others are left out.
 */
function readHealth({ sample: { containers }, standing, isJustGone }: ConditionInput): Conditions | undefined {
  if (containers === undefined) return undefined
  const found = new Map<string, BadCondition | undefined>()
  const present = new Set<string>()
  for (const { identity, container } of identifiedContainers(containers)) {
    if (standing.size > 0) present.add(identity)
    if (container.health === 'unhealthy') found.set(identity, 'unhealthy')
    else if (container.health !== 'starting' && standing.has(identity)) found.set(identity, undefined)
  }
  for (const identity of standing) if (!present.has(identity) && !isJustGone(identity)) found.set(identity, undefined)
  return found
}

function readStopped({ sample: { containers }, expected, standing, isLooping }: ConditionInput): Conditions | undefined {
  if (containers === undefined) return undefined
  const found = new Map<string, BadCondition | undefined>()
  for (const identity of [...expected, ...standing]) found.set(identity, 'stopped')
  for (const { identity, container } of identifiedContainers(containers)) {
    const wrong = runningOf({ identity, container }, isLooping)
    if (wrong !== undefined || standing.has(identity)) found.set(identity, wrong)
    else found.delete(identity)
  }
  return found
}

const runningOf = (
  { identity, container: { status } }: IdentifiedContainer,
  isLooping: ConditionInput['isLooping'],
): BadCondition | undefined => (isLooping(identity) ? 'restarting' : stateIn(status))

/**
 * Returns `restarting` or `stopped` for the status text of a Docker container, such as "Restarting (1) 5 seconds ago" or "Exited (137) 3
 * minutes ago". `undefined` for other texts, such as "Up 2 hours".
 */
function stateIn(status = ''): BadCondition | undefined {
  if (/^restarting\b/i.test(status)) return 'restarting'
  return /^(?:exited|dead|created|removal)\b/i.test(status) ? 'stopped' : undefined
}

function readOneContainer({ sample: { containers }, target, isLooping }: ConditionInput): Conditions | undefined {
  if (containers === undefined) return undefined
  const all = identifiedContainers(containers)
  const own = all.find(({ container }) => container.name === target) ?? all.find(({ identity }) => identity === containerIdentity(target))
  if (own === undefined) return new Map([['', 'stopped']])
  const wrong = runningOf(own, isLooping)
  // A container whose health check is still starting neither fires nor resolves an alert.
  if (wrong === undefined && own.container.health === 'starting') return undefined
  return new Map([['', wrong ?? (own.container.health === 'unhealthy' ? 'unhealthy' : undefined)]])
}

/** Returns the systemd services of a sample. `undefined` if the sample lists none, because then nothing is known about services. */
const listed = ({ services = [] }: Sample): readonly ServiceSample[] | undefined => (services.length === 0 ? undefined : services)

function readFailed({ sample, standing }: ConditionInput): Conditions | undefined {
  const services = listed(sample)
  if (services === undefined) return undefined
  const failed = services.flatMap(({ name, state }) => (state === 'failed' ? [[name, 'failed'] as const] : []))
  return new Map<string, BadCondition | undefined>([...[...standing].map((name) => [name, undefined] as const), ...failed])
}

/**
 * Returns the condition of the systemd service that an alert watches, as a map with the key `''`: `failed`, `inactive`, or `undefined` if
 * healthy. A service that is not listed is `inactive`. Returns `undefined` without a list of services, and for states in between, such as
 * `activating`.
 */
function readOneService({ sample, target }: ConditionInput): Conditions | undefined {
  const services = listed(sample)
  if (services === undefined) return undefined
  const state = services.find(({ name }) => name === target)?.state ?? 'inactive'
  if (state === 'failed' || state === 'inactive') return new Map([['', state]])
  return state === 'active' || state === 'reloading' ? new Map([['', undefined]]) : undefined
}
