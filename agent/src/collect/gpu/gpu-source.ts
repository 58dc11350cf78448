import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Tick } from '../collector.ts'
import type { GpuState } from './gpu-means.ts'

/** Functions that read all GPUs of one maker, such as AMD. */
export type GpuSource = {
  /** Returns the current state of each GPU of the maker, by an id that is unique in the machine. */
  readonly statesAt: (tick: Tick) => ReadonlyMap<string, GpuState>
  readonly skipped: () => readonly SkippedPart[]
  /** Returns a command or hint, as text, by which the user can fix a problem of reading the GPUs; `undefined` without one. */
  readonly remedy?: () => string | undefined
}

export type GpuMaker = 'nvidia' | 'amd' | 'intel'
