import type { GpuSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { MEBIBYTE } from '@vedette/protocol/wire/units'
import { perSecond, type Reading } from '../sampling/counter.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import { createBaselines } from '../baselines.ts'
import { drmCards, isAsleep, numberIn, sensorFolder, vendorIds } from './gpu-devices.ts'
import type { GpuState } from './gpu-means.ts'
import type { GpuSource } from './gpu-source.ts'

/**
 * Readings of an Intel GPU's energy counters in µJ: `card` counts the graphics card, `whole` the processor package that contains the GPU.
 * Absent where there is no such counter.
 */
type Energy = { readonly card?: Reading; readonly whole?: Reading }

/** Upper limit of a plausible GPU power in W: 2,000. A higher value means that the energy counter was reset. */
const MAX_WATTS = 2000

/**
 * Creates the reader of Intel GPUs. Power comes from energy counters, kernel Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon and
 * sysfs-driver-intel-xe-hwmon. The busy share is left out, because it needs special permissions.
 */
export function intelSource(source: ProcSource): GpuSource {
  const baselines = createBaselines<ReadonlyMap<string, Energy>>()
  let asleep: readonly string[] = []

  return {
    statesAt: ({ atMs, consumer }) => {
      const cards = drmCards(source, vendorIds.intel)
      asleep = cards.filter(({ device }) => isAsleep(source, device)).map(({ id }) => id)
      const before = baselines.of(consumer)
      const energies = new Map<string, Energy>()
      const states = new Map<string, GpuState>()
      for (const { id, device } of cards) {
        const sensors = asleep.includes(id) ? undefined : sensorFolder(source, device)
        const energy = sensors === undefined ? {} : readEnergy(source, sensors, atMs)
        energies.set(id, energy)
        states.set(id, stateOf(source, { id, sensors }, wattsOf(before?.get(id), energy)))
      }
      baselines.keep(consumer, energies)
      return states
    },
    skipped: () => asleep.map((id) => ({ what: id, why: 'it sleeps, and reading would wake it' })),
  }
}

function readEnergy(source: ProcSource, sensors: string, takenAtMs: number): Energy {
  const reading = (number: 1 | 2): Reading | undefined => {
    const value = numberIn(source, sensors, `energy${number}_input`)
    return value === undefined ? undefined : { value, takenAtMs }
  }
  return present<Energy>({ card: reading(1), whole: reading(2) })
}

function wattsOf(before: Energy | undefined, now: Energy): Pick<GpuSample, 'powerWatts' | 'packagePowerWatts'> {
  const watts = (name: 'card' | 'whole'): number | undefined => {
    const current = now[name]
    const microwatts = current && perSecond(before?.[name], current)
    return microwatts === undefined || microwatts > MAX_WATTS * 1_000_000 ? undefined : microwatts / 1_000_000
  }
  return present<Pick<GpuSample, 'powerWatts' | 'packagePowerWatts'>>({ powerWatts: watts('card'), packagePowerWatts: watts('whole') })
}

type Card = { readonly id: string; readonly sensors: string | undefined }

function stateOf(source: ProcSource, { id, sensors }: Card, watts: Pick<GpuSample, 'powerWatts' | 'packagePowerWatts'>): GpuState {
  // A suspended GPU has only a name.
  const total = sensors === undefined ? undefined : numberIn(source, `class/drm/${id}`, 'lmem_total_bytes')
  const available = total === undefined ? undefined : numberIn(source, `class/drm/${id}`, 'lmem_avail_bytes')
  const millidegrees = numberIn(source, sensors, 'temp1_input') ?? numberIn(source, sensors, 'temp2_input')
  const sample = present<GpuSample>({
    name: 'Intel GPU',
    ...watts,
    memoryTotalMegabytes: total === undefined ? undefined : total / MEBIBYTE,
    memoryUsedMegabytes: total === undefined || available === undefined ? undefined : Math.max(0, total - available) / MEBIBYTE,
  })
  return present<GpuState>({ sample, celsius: millidegrees === undefined || millidegrees <= 0 ? undefined : millidegrees / 1000 })
}
