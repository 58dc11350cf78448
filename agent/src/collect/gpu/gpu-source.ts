import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Tick } from '../collector.ts'
import type { GpuState } from './gpu-means.ts'

/**
 * Reader of all GPUs of one maker (NVIDIA, AMD or Intel). Its functions return the current values, the skipped GPUs with the reason, and
 * the command that fixes a problem with reading them.
 */
export type GpuSource = {
  /**
   * Returns the current values (usage, power, memory, temperature) of all GPUs of this maker, as a map from GPU id. `tick` is the time and
   * requester of the sample.
   */
  readonly statesAt: (tick: Tick) => ReadonlyMap<string, GpuState>
  readonly skipped: () => readonly SkippedPart[]
  /**
   * Returns a shell command or hint by which the user can fix a problem with reading this maker's GPUs. `undefined` when there is no
   * problem, or no known remedy.
   */
  readonly remedy?: () => string | undefined
}

export type GpuMaker = 'nvidia' | 'amd' | 'intel'
