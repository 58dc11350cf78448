import type { Skipped } from '@vedette/protocol/metrics/diagnosis'
import type { Tick } from '../collector.ts'
import type { GpuState } from './gpu-means.ts'

/** One maker's GPUs. */
export type GpuSource = {
  /** By id, unique in the machine. */
  readonly look: (tick: Tick) => ReadonlyMap<string, GpuState>
  readonly skipped: () => readonly Skipped[]
  /** One command that would help. */
  readonly remedy?: () => string | undefined
}

export type GpuMaker = 'nvidia' | 'amd' | 'intel'
