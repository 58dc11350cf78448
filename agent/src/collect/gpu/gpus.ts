import type { GpuSample } from '@vedette/protocol/metrics/sample'
import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import type { Commands } from '../../runtime/command.ts'
import type { Loop } from '../../runtime/deadline.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import type { Collector } from '../collector.ts'
import { presentMakers } from './gpu-devices.ts'
import type { GpuState } from './gpu-means.ts'
import type { GpuMaker, GpuSource } from './gpu-source.ts'

export type GpuFamilies = {
  readonly gpus: Readonly<Record<string, GpuSample>>
  /** Temperatures in °C by GPU name, for the sample's temperatures; absent when no GPU reports one. */
  readonly temperatures?: Readonly<Record<string, number>>
  /** Age in ms of the oldest GPU reading whose next one is overdue, as the sample's `ages.gpus`. Absent when none is overdue. */
  readonly ages?: { readonly gpus: number }
  /**
   * Temperature in °C that represents the whole machine. Set only when the operator has configured one of these GPUs as the primary sensor.
   */
  readonly dashboardCelsius?: number
}

export type GpuOptions = {
  readonly makers: readonly GpuMaker[]
  readonly primarySensor: string | undefined
}

export type GpuParts = { readonly source: ProcSource; readonly loop: Loop; readonly commands: () => Commands }

/** Creates the collector of all GPUs and resolves with it. Only the code for GPU makers in this machine (NVIDIA, AMD, Intel) is loaded. */
export async function gpusCollector(parts: GpuParts, { makers, primarySensor }: GpuOptions): Promise<Collector<GpuFamilies>> {
  const sources = await Promise.all(presentMakers(parts.source, makers).map((maker) => loaders[maker](parts)))
  let names: readonly string[] = []
  return {
    name: 'gpus',
    collect: (tick) => {
      const states = new Map(sources.flatMap((one) => [...one.statesAt(tick)]))
      const families = gpuFamilies(states, primarySensor)
      names = Object.values(families?.gpus ?? {}).map(({ name }) => name)
      return families
    },
    report: () => {
      const remedy = sources.map((one) => one.remedy?.()).find((text) => text !== undefined)
      return {
        ...(names.length === 0 ? {} : { found: names.join(', ') }),
        skipped: sources.flatMap((one) => one.skipped()),
        ...(remedy === undefined ? {} : { remedy }),
      }
    },
  }
}

const loaders: Readonly<Record<GpuMaker, (parts: GpuParts) => Promise<GpuSource>>> = {
  nvidia: async ({ source, commands }) => (await import('./nvidia.ts')).nvidiaSource(source, commands()),
  amd: async ({ source, loop }) => (await import('./amd.ts')).amdSource(source, loop),
  intel: async ({ source }) => (await import('./intel.ts')).intelSource(source),
}

/**
 * Returns the GPU fields of a sample, built from a map of GPU id to the GPU's values; `undefined` without GPUs. GPUs with equal names get
 * their id appended. `primarySensor` is the configured main temperature sensor.
 */
export function gpuFamilies(states: ReadonlyMap<string, GpuState>, primarySensor: string | undefined): GpuFamilies | undefined {
  if (states.size === 0) return undefined
  const nameCounts = new Map<string, number>()
  for (const { sample } of states.values()) nameCounts.set(sample.name, (nameCounts.get(sample.name) ?? 0) + 1)
  const gpus: Record<string, GpuSample> = {}
  const temperatures: Record<string, number> = {}
  for (const [id, { sample, celsius }] of states) {
    const name = nameCounts.get(sample.name) === 1 ? sample.name : `${sample.name} ${id}`
    setOwnValue(gpus, id, { ...sample, name })
    if (celsius !== undefined) setOwnValue(temperatures, name, celsius)
  }
  const oldestMs = Math.max(0, ...[...states.values()].map(({ ageMs = 0 }) => ageMs))
  const primary = primarySensor === undefined ? undefined : ownValue(temperatures, primarySensor)
  return {
    gpus,
    ...(Object.keys(temperatures).length === 0 ? {} : { temperatures }),
    ...(oldestMs === 0 ? {} : { ages: { gpus: oldestMs } }),
    ...(primary === undefined ? {} : { dashboardCelsius: primary }),
  }
}
