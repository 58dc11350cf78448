import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { ContainerSample, CpuSample, DiskSample, NetworkSample, Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { root } from '../tools/rules/source-tree.ts'
import { utf8 } from '../hub/src/platform/utf8.ts'

/** Functions of a simulated machine: a copy of a recorded real machine with its own name and randomly changing values. */
export type SimulatedMachine = {
  readonly name: string
  readonly fingerprint: string
  /** Returns the machine's sample at this uptime. Static facts are included only if `withFacts` is true. */
  readonly measure: (uptimeSeconds: number, withFacts: boolean) => Sample
}

type Recording = { readonly samples: readonly { readonly stdout_hex: string }[] }

/**
 * Reads the recording of a real agent from a file and returns one sample. Its facts about the machine are from the first recorded sample,
 * all other values from the third.
 */
function recorded(path: string): Sample {
  // Recordings of agents have this shape; a missing sample is reported below.
  const { samples } = JSON.parse(readFileSync(join(root, 'protocol/vectors/agent', path), 'utf8')) as Recording
  const read = (index: number): Sample => {
    const item = decodeCbor(Buffer.from(samples[index]?.stdout_hex ?? '', 'hex'), utf8)
    const reply = item.ok ? decodeEnvelope(item.value, 'document') : undefined
    const document = reply?.ok && reply.reply.kind === 'document' ? decodeDocument(reply.reply.document) : undefined
    if (!document?.ok) throw new Error(`Cannot read sample ${index} of ${path}`)
    return document.sample
  }
  const { machine } = read(0)
  return { ...read(2), ...(machine === undefined ? {} : { machine }) }
}

/**
 * Returns the two recorded samples that simulated machines copy. One is a server with one disk and one interface; the other has more disks,
 * sensors, fans, batteries and two GPUs.
 */
const machines = (): readonly Sample[] => [recorded('machine-1/expected-head.json'), recorded('machine-2/expected-head.json')]

/** Range, to both sides of 1, of the random factor by which a machine's recorded values are multiplied: 0.6 means 0.4 to 1.6. */
const REACH = 0.6
const STEP = 0.1
const JITTER = 0.05

/**
 * Returns a function that creates the simulated machine with number `index`, which has `containers` containers. The same number always
 * gives the same name and values.
 */
export function simulatedMachines(containers: number, link: 'websocket' | 'ssh'): (index: number) => SimulatedMachine {
  const models = machines()
  const recordedContainers = recorded('docker/head.json').containers ?? []
  return (index) => {
    const model = models[index % models.length]
    if (model === undefined) throw new Error('There is no recorded machine')
    const random = pseudoRandom(index)
    const facts = { ...model.machine, hostname: machineName(index) }
    const running = Array.from({ length: containers }, (_, at) => containerOf(recordedContainers, index, at))
    let level = 1
    return {
      name: machineName(index),
      fingerprint: fingerprintOf(index),
      measure(uptimeSeconds, withFacts) {
        level = within(level + (random() * 2 - 1) * STEP, 1 - REACH, 1 + REACH)
        const vary = (value: number): number => value * level * (1 + (random() * 2 - 1) * JITTER)
        const { machine: _, ...measured } = walked(model, vary)
        const { threads } = facts
        return {
          ...measured,
          link,
          uptimeSeconds,
          containers: running.map((container) => walkedContainer(container, vary)),
          ...(withFacts ? { machine: facts } : threads === undefined ? {} : { machine: { threads } }),
        }
      },
    }
  }
}

export const machineName = (index: number): string => `bench-${String(index).padStart(5, '0')}`
export const fingerprintOf = (index: number): string => index.toString(16).padStart(48, '0')

/** Returns container number `at` of the simulated machine number `index`: a recorded container with its own name and id. */
function containerOf(recordedContainers: readonly ContainerSample[], index: number, at: number): ContainerSample {
  const container = recordedContainers[at % recordedContainers.length]
  if (container === undefined) throw new Error('There is no recorded container')
  return { ...container, name: `${container.name}-${at}`, id: (index * 4096 + at + 0xa00000000000).toString(16) }
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
const percent = (value: number): number => Math.round(within(value, 0, 100) * 100) / 100
const whole = (value: number): number => Math.round(value)

function walked(model: Sample, vary: (value: number) => number): Sample {
  const { cpu, memory, load, rootDisk, network, extraDisks, temperatures } = model
  const used = memory && within(vary(memory.usedBytes), 0, memory.totalBytes)
  return {
    ...model,
    ...(cpu && { cpu: walkedCpu(cpu, vary) }),
    ...(memory && used !== undefined && { memory: { ...memory, usedBytes: used, usedPercent: percent((used / memory.totalBytes) * 100) } }),
    ...(load && {
      load: { oneMinute: vary(load.oneMinute), fiveMinutes: vary(load.fiveMinutes), fifteenMinutes: vary(load.fifteenMinutes) },
    }),
    ...(rootDisk && { rootDisk: walkedDisk(rootDisk, vary) }),
    ...(network && { network: walkedNetwork(network, vary) }),
    ...(extraDisks && { extraDisks: each(extraDisks, (disk) => walkedDisk(disk, vary)) }),
    ...(temperatures && { temperatures: each(temperatures, (celsius) => Math.round(vary(celsius) * 10) / 10) }),
  }
}

function walkedCpu({ busyPercent, shares, coreBusyPercent }: CpuSample, vary: (value: number) => number): CpuSample {
  const user = percent(vary(shares?.userPercent ?? 0))
  return {
    busyPercent: percent(vary(busyPercent)),
    ...(shares && { shares: { ...shares, userPercent: user, idlePercent: percent(shares.idlePercent + shares.userPercent - user) } }),
    ...(coreBusyPercent && {
      coreBusyPercent: coreBusyPercent.map((core) => (core === undefined ? undefined : whole(percent(vary(core))))),
    }),
  }
}

const walkedDisk = (disk: DiskSample, vary: (value: number) => number): DiskSample => ({
  ...disk,
  ...(disk.readBytesPerSecond !== undefined && { readBytesPerSecond: whole(vary(disk.readBytesPerSecond)) }),
  ...(disk.writtenBytesPerSecond !== undefined && { writtenBytesPerSecond: whole(vary(disk.writtenBytesPerSecond)) }),
})

const walkedNetwork = ({ interfaces, ...sums }: NetworkSample, vary: (value: number) => number): NetworkSample => ({
  ...each(sums, (rate) => whole(vary(rate))),
  ...(interfaces && {
    interfaces: each(interfaces, (one) => ({
      ...one,
      sentBytesPerSecond: whole(vary(one.sentBytesPerSecond)),
      receivedBytesPerSecond: whole(vary(one.receivedBytesPerSecond)),
    })),
  }),
})

const walkedContainer = (container: ContainerSample, vary: (value: number) => number): ContainerSample => ({
  ...container,
  cpuPercent: percent(vary(container.cpuPercent ?? 0)),
  memoryBytes: vary(container.memoryBytes ?? 0),
  sentBytesPerSecond: whole(vary(container.sentBytesPerSecond ?? 0)),
  receivedBytesPerSecond: whole(vary(container.receivedBytesPerSecond ?? 0)),
})

function each<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

/**
 * Creates a pseudorandom generator (Mulberry32): a function that returns the next number from 0 (inclusive) to 1. The same seed always
 * gives the same numbers.
 */
function pseudoRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
