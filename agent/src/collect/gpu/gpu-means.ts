import type { GpuSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { createBaselines } from '../baselines.ts'
import type { Tick } from '../collector.ts'
import { LAST_GOOD_MS } from '../last-good.ts'

/** Usage, power, memory and temperature of one GPU at one moment; values that the GPU does not report are absent. */
export type GpuReading = {
  /**
   * Id of the GPU, unique on its machine: an index such as `0` (NVIDIA), or the name of the graphics card in the kernel, such as `card0`.
   */
  readonly id: string
  readonly name: string
  readonly usagePercent?: number
  readonly powerWatts?: number
  readonly memoryUsedMegabytes?: number
  readonly memoryTotalMegabytes?: number
  readonly sharedMemoryUsedMegabytes?: number
  readonly sharedMemoryTotalMegabytes?: number
  readonly celsius?: number
}

/**
 * Values of one GPU for a sample: `sample` has usage, power and memory; `celsius` is its temperature. `ageMs` is set only when the GPU's
 * next reading is overdue (after 10 s).
 */
export type GpuState = { readonly sample: GpuSample; readonly celsius?: number; readonly ageMs?: number }

/** Age in ms, 10 s, at which the next reading of a GPU is overdue. `nvidia-smi` gives one every 4 s, and AMD GPUs are read every 3 s. */
const DUE_MS = 10_000

type Sum = { readonly total: number; readonly count: number }
type Sums = { readonly usage: Sum; readonly power: Sum }
type Latest = {
  readonly reading: GpuReading
  readonly sums: Sums
  /** Monotonic time in ms of the first sample that contained this GPU reading; `undefined` while none has. */
  foundAtMs: number | undefined
}

/**
 * Running sums of a GPU's readings at a requester's last sample, and the mean values sent then. The next means are computed from the growth
 * of the sums; without a new reading, the same means are sent again.
 */
type ConsumerMeans = { readonly sums: Sums; readonly usagePercent: number | undefined; readonly powerWatts: number | undefined }

export type GpuMeans = {
  readonly add: (reading: GpuReading) => void
  /** Removes the stored readings of all GPUs except those whose ids are in the set. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
  /**
   * Returns a map from GPU id to the GPU's values for a sample. Usage and power are means since the requester's last sample; memory and
   * temperature are from the last reading. A reading that a sample had more than 150 s ago has only the name.
   */
  readonly statesAt: (tick: Tick) => ReadonlyMap<string, GpuState>
}

const none: Sum = { total: 0, count: 0 }
const noSums: Sums = { usage: none, power: none }

/**
 * Creates a store of GPU readings that returns mean usage and power. Only sums since the start are stored, so that every requester gets
 * means over its own interval.
 */
export function createGpuMeans(): GpuMeans {
  const latest = new Map<string, Latest>()
  const looks = createBaselines<ReadonlyMap<string, ConsumerMeans>>()

  return {
    add: (reading) => {
      const { usage, power } = latest.get(reading.id)?.sums ?? noSums
      const sums = { usage: plus(usage, reading.usagePercent), power: plus(power, reading.powerWatts) }
      latest.set(reading.id, { reading, sums, foundAtMs: undefined })
    },
    keepOnly: (ids) => {
      for (const id of latest.keys()) if (!ids.has(id)) latest.delete(id)
    },
    statesAt: ({ consumer, atMs }) => {
      const before = looks.of(consumer)
      const now = new Map([...latest].map(([id, { sums }]) => [id, consumerMeansOf(sums, before?.get(id))]))
      looks.keep(consumer, now)
      return new Map(
        [...latest].map(([id, one]) => {
          one.foundAtMs ??= atMs
          return [id, stateOf(one.reading, now.get(id), atMs - one.foundAtMs)]
        }),
      )
    },
  }
}

const plus = ({ total, count }: Sum, value: number | undefined): Sum =>
  value === undefined ? { total, count } : { total: total + value, count: count + 1 }

const consumerMeansOf = (sums: Sums, before: ConsumerMeans | undefined): ConsumerMeans => ({
  sums,
  usagePercent: meanSince(before?.sums.usage, sums.usage) ?? before?.usagePercent,
  powerWatts: meanSince(before?.sums.power, sums.power) ?? before?.powerWatts,
})

/**
 * Returns the mean of a GPU value between two running sums, in the value's unit; `undefined` without a new reading in between. A GPU that
 * was removed and added again has restarted its sums at 0.
 */
function meanSince(before: Sum = none, now: Sum): number | undefined {
  const { total, count } = now.count < before.count ? none : before
  return now.count === count ? undefined : (now.total - total) / (now.count - count)
}

function stateOf(reading: GpuReading, look: ConsumerMeans | undefined, ageMs: number): GpuState {
  if (ageMs > LAST_GOOD_MS) return { sample: { name: reading.name } }
  const { name, memoryUsedMegabytes, memoryTotalMegabytes, sharedMemoryUsedMegabytes, sharedMemoryTotalMegabytes, celsius } = reading
  const sample = present<GpuSample>({
    name,
    usagePercent: look?.usagePercent,
    powerWatts: look?.powerWatts,
    memoryUsedMegabytes,
    memoryTotalMegabytes,
    sharedMemoryUsedMegabytes,
    sharedMemoryTotalMegabytes,
  })
  return present<GpuState>({ sample, celsius, ageMs: ageMs > DUE_MS && hasReadings(reading) ? ageMs : undefined })
}

/** Returns true when a GPU's reading has at least one measured value besides id and name; that of a suspended GPU has none. */
const hasReadings = ({ id: _id, name: _name, ...readings }: GpuReading): boolean => Object.keys(readings).length > 0
