import type { GpuSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { createBaselines } from '../baselines.ts'
import type { Tick } from '../collector.ts'
import { LAST_GOOD_MS } from '../last-good.ts'

/** One reading of a GPU; a value that it does not report is absent. */
export type GpuReading = {
  /** Identifies the GPU within the machine: an index, or `card0`. */
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

/** `ageMs` is set when a reading is overdue. */
export type GpuState = { readonly sample: GpuSample; readonly celsius?: number; readonly ageMs?: number }

/** Tools and files give a reading every 4 s; an older one is overdue. */
const DUE_MS = 10_000

type Sum = { readonly total: number; readonly count: number }
type Sums = { readonly usage: Sum; readonly power: Sum }
type Latest = {
  readonly reading: GpuReading
  readonly sums: Sums
  /** Time of the first call that returned this reading; `undefined` before. */
  foundAtMs: number | undefined
}

/** A consumer's last sums and means; the means are repeated until a new reading arrives. */
type Look = { readonly sums: Sums; readonly usagePercent: number | undefined; readonly powerWatts: number | undefined }

export type GpuMeans = {
  readonly add: (reading: GpuReading) => void
  /** Forgets all GPUs but these. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
  /** GPUs by id: usage and power as means since the consumer's last call, memory and temperature from the last reading. */
  readonly look: (tick: Tick) => ReadonlyMap<string, GpuState>
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
      const sums = { usage: plus(usage, reading.usagePercent), power: plus(power, reading.powerWatts) }
      latest.set(reading.id, { reading, sums, foundAtMs: undefined })
    },
    keepOnly: (ids) => {
      for (const id of latest.keys()) if (!ids.has(id)) latest.delete(id)
    },
    look: ({ consumer, atMs }) => {
      const before = looks.of(consumer)
      const now = new Map([...latest].map(([id, { sums }]) => [id, lookAt(sums, before?.get(id))]))
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

const lookAt = (sums: Sums, before: Look | undefined): Look => ({
  sums,
  usagePercent: meanSince(before?.sums.usage, sums.usage) ?? before?.usagePercent,
  powerWatts: meanSince(before?.sums.power, sums.power) ?? before?.powerWatts,
})

/** A GPU that was removed and added again has restarted its sums at 0. */
function meanSince(before: Sum = none, now: Sum): number | undefined {
  const { total, count } = now.count < before.count ? none : before
  return now.count === count ? undefined : (now.total - total) / (now.count - count)
}

function stateOf(reading: GpuReading, look: Look | undefined, ageMs: number): GpuState {
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

/** A GPU that sleeps: only its name is known, and stays so. */
const hasReadings = ({ id: _id, name: _name, ...readings }: GpuReading): boolean => Object.keys(readings).length > 0
