import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Tick } from '../collector.ts'
import type { GpuState } from './gpu-means.ts'

/** Functions for all GPUs of one maker (NVIDIA, AMD or Intel): return their current values, the skipped GPUs, and how to fix a problem. */
export type GpuSource = {
  /** Returns a map from GPU id, unique in the machine, to usage, power, memory and temperature of each GPU of the maker. */
  readonly statesAt: (tick: Tick) => ReadonlyMap<string, GpuState>
  readonly skipped: () => readonly SkippedPart[]
  /** Returns a command or hint, as text, by which the user can fix a problem of reading the GPUs; `undefined` without one. */
  readonly remedy?: () => string | undefined
}

export type GpuMaker = 'nvidia' | 'amd' | 'intel'
