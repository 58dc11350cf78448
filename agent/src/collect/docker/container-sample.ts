import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import type { InspectedFacts } from './inspections.ts'
import type { ListedContainer } from './list.ts'
import { containerCpuPercent, containerDisk, containerNetwork, type ContainerReading } from './container-reading.ts'

/**
 * Data from which one container's part of a sample is built. It has the entry of the container list, facts of the inspection, and the
 * previous and current reading of counters. If the container shares a network, it also has the owner: `host`, or a container's name.
 */
export type ContainerState = {
  readonly listed: ListedContainer
  readonly inspected: InspectedFacts | undefined
  readonly previous: ContainerReading | undefined
  readonly current: ContainerReading | undefined
  readonly networkOf: string | undefined
}

/**
 * Container's part of a sample while it is built, with writable fields. Building it once in place costs much less in the agent's small
 * JavaScript engine than removing absent fields afterwards.
 */
type Draft = { -readonly [F in keyof ContainerSample]: ContainerSample[F] }

/**
 * Returns one container's part of a sample (a `ContainerSample`), built from its list entry, its inspection, and the rates between its two
 * readings of counters.
 */
export function containerSample(state: ContainerState): ContainerSample {
  const { listed, inspected, networkOf } = state
  const { id, name, image, status, health, ports, composeProject, composeService } = listed
  const sample: Draft = { id, name, image, status, health: health === 'none' ? (inspected?.health ?? health) : health, ports }
  if (composeProject !== undefined) sample.composeProject = composeProject
  if (composeService !== undefined) sample.composeService = composeService
  if (networkOf !== undefined) sample.networkOf = networkOf
  if (inspected !== undefined) addInspected(sample, inspected)
  addUse(sample, state)
  return sample
}

function addInspected(sample: Draft, { restarts, memoryLimitBytes, cpuLimitCpus }: InspectedFacts): void {
  if (restarts !== undefined) sample.restarts = restarts
  if (memoryLimitBytes !== undefined) sample.memoryLimitBytes = memoryLimitBytes
  if (cpuLimitCpus !== undefined) sample.cpuLimitCpus = cpuLimitCpus
}

function addUse(sample: Draft, { previous, current, networkOf }: ContainerState): void {
  const cpuPercent = containerCpuPercent(previous, current)
  // In a shared network namespace the counters show the owner's traffic, which is reported with the owner.
  const network = networkOf === undefined ? containerNetwork(previous, current) : undefined
  const disk = containerDisk(previous, current)
  if (cpuPercent !== undefined) sample.cpuPercent = cpuPercent
  if (current?.memoryBytes !== undefined) sample.memoryBytes = current.memoryBytes
  if (network !== undefined) {
    sample.sentBytesPerSecond = network.outPerSecond
    sample.receivedBytesPerSecond = network.inPerSecond
  }
  if (disk !== undefined) {
    sample.diskReadBytesPerSecond = disk.inPerSecond
    sample.diskWrittenBytesPerSecond = disk.outPerSecond
  }
}
