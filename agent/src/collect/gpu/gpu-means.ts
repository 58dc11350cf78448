import type { GpuSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { createBaselines } from '../baselines.ts'

/** What one GPU said at one moment. What it does not tell is absent. */
export type GpuReading = {
  /** What tells this GPU from the others of the machine: an index, or `card0`. */
  readonly id: string
  readonly name: string
  readonly usagePercent?: number
  readonly powerWatts?: number
  readonly memoryUsedMegabytes?: number
  readonly memoryTotalMegabytes?: number
  readonly celsius?: number
}

export type GpuState = { readonly sample: GpuSample; readonly celsius?: number }

type Sum = { readonly total: number; readonly count: number }
type Sums = { readonly usage: Sum; readonly power: Sum }
type Latest = { readonly reading: GpuReading; readonly sums: Sums }

/** A consumer's last look: sums then, and the means it was told, which it is told again while nothing new came. */
type Look = { readonly sums: Sums; readonly usagePercent: number | undefined; readonly powerWatts: number | undefined }

export type GpuMeans = {
  readonly add: (reading: GpuReading) => void
  /** Forgets all GPUs but these. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
  /** By id: usage and power as means since the consumer's last look, memory and temperature as they are now. */
  readonly look: (consumer: number) => ReadonlyMap<string, GpuState>
}

const none: Sum = { total: 0, count: 0 }
const noSums: Sums = { usage: none, power: none }

/** Sums since the start, so that every consumer has means of its own without readings being kept. */
export function createGpuMeans(): GpuMeans {
  const latest = new Map<string, Latest>()
  const looks = createBaselines<ReadonlyMap<string, Look>>()

  return {
    add: (reading) => {
      const { usage, power } = latest.get(reading.id)?.sums ?? noSums
      latest.set(reading.id, { reading, sums: { usage: plus(usage, reading.usagePercent), power: plus(power, reading.powerWatts) } })
    },
    keepOnly: (ids) => {
      for (const id of latest.keys()) if (!ids.has(id)) latest.delete(id)
    },
    look: (consumer) => {
      const before = looks.of(consumer)
      const now = new Map([...latest].map(([id, { sums }]) => [id, lookAt(sums, before?.get(id))]))
      looks.keep(consumer, now)
      return new Map([...latest].map(([id, { reading }]) => [id, stateOf(reading, now.get(id))]))
    },
  }
}

const plus = ({ total, count }: Sum, value: number | undefined): Sum =>
  value === undefined ? { total, count } : { total: total + value, count: count + 1 }

const lookAt = (sums: Sums, before: Look | undefined): Look => ({
  sums,
  usagePercent: meanSince(before?.sums.usage, sums.usage) ?? before?.usagePercent,
  powerWatts: meanSince(before?.sums.power, sums.power) ?? before?.powerWatts,
})

/** One that was forgotten and came back started again at nothing. */
function meanSince(before: Sum = none, now: Sum): number | undefined {
  const { total, count } = now.count < before.count ? none : before
  return now.count === count ? undefined : (now.total - total) / (now.count - count)
}

function stateOf(reading: GpuReading, look: Look | undefined): GpuState {
  const { name, memoryUsedMegabytes, memoryTotalMegabytes, celsius } = reading
  const sample = present<GpuSample>({
    name,
    usagePercent: look?.usagePercent,
    powerWatts: look?.powerWatts,
    memoryUsedMegabytes,
    memoryTotalMegabytes,
  })
  return present<GpuState>({ sample, celsius })
}
