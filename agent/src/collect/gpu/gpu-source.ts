import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Tick } from '../collector.ts'
import type { GpuState } from './gpu-means.ts'

/** Functions that read all GPUs of one maker: their states, skipped GPUs and a hint. */
export type GpuSource = {
  /** Returns a map from GPU id, unique in the machine, to the current state of that GPU of the maker. */
  readonly statesAt: (tick: Tick) => ReadonlyMap<string, GpuState>
  readonly skipped: () => readonly SkippedPart[]
  /** Returns a command or hint that fixes a problem of reading the GPUs; `undefined` without one. */
  readonly remedy?: () => string | undefined
}

export type GpuMaker = 'nvidia' | 'amd' | 'intel'
