import { present } from '@vedette/protocol/wire/present'
import { MEBIBYTE } from '@vedette/protocol/wire/units'
import type { Loop } from '../../runtime/deadline.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import { plainName } from '../../text/plain-name.ts'
import { drmCards, isAsleep, numberIn, sensorFolder, vendorIds } from './gpu-devices.ts'
import { createGpuMeans, type GpuReading } from './gpu-means.ts'
import type { GpuSource } from './gpu-source.ts'

/**
 * Interval in ms, 3 s, at which AMD GPUs are read. The busy percentage is an instantaneous value, so it is read independently of requests
 * for samples.
 */
const PERIOD_MS = 3000

/** Path of the file of the library libdrm that lists names of AMD GPUs by device and revision id. */
const NAMES = '/usr/share/libdrm/amdgpu.ids'

/**
 * Creates the reader of the values of AMD GPUs from sysfs; kernel Documentation/gpu/amdgpu/thermal.rst and driver-misc.rst. It does not
 * wake a suspended GPU.
 */
export function amdSource(source: ProcSource, loop: Loop): GpuSource {
  const means = createGpuMeans()
  const names = new Map<string, string>()
  let asleep: readonly string[] = []

  const read = (): void => {
    const cards = drmCards(source, vendorIds.amd)
    means.keepOnly(new Set(cards.map(({ id }) => id)))
    asleep = cards.filter(({ device }) => isAsleep(source, device)).map(({ id }) => id)
    for (const { id, device } of cards) {
      const name = names.get(device) ?? nameOf(source, device)
      names.set(device, name)
      means.add(asleep.includes(id) ? { id, name } : readCard(source, { id, device, name }))
    }
  }

  let isReading = false
  const readAgain = (): void => {
    read()
    loop.after(PERIOD_MS, readAgain)
  }

  return {
    statesAt: (tick) => {
      if (!isReading) readAgain()
      isReading = true
      return means.statesAt(tick)
    },
    skipped: () => asleep.map((id) => ({ what: id, why: 'it sleeps, and reading would wake it' })),
  }
}

type Card = { readonly id: string; readonly device: string; readonly name: string }

function readCard(source: ProcSource, { id, device, name }: Card): GpuReading {
  const busy = numberIn(source, device, 'gpu_busy_percent')
  const sensors = sensorFolder(source, device)
  const microwatts = numberIn(source, sensors, 'power1_average') ?? numberIn(source, sensors, 'power1_input')
  const millidegrees = numberIn(source, sensors, 'temp1_input')
  return present<GpuReading>({
    id,
    name,
    usagePercent: busy !== undefined && busy <= 100 ? busy : undefined,
    powerWatts: microwatts === undefined ? undefined : microwatts / 1_000_000,
    memoryUsedMegabytes: mebibytesIn(source, device, 'mem_info_vram_used'),
    memoryTotalMegabytes: mebibytesIn(source, device, 'mem_info_vram_total'),
    sharedMemoryUsedMegabytes: mebibytesIn(source, device, 'mem_info_gtt_used'),
    sharedMemoryTotalMegabytes: mebibytesIn(source, device, 'mem_info_gtt_total'),
    celsius: millidegrees === undefined || millidegrees <= 0 ? undefined : millidegrees / 1000,
  })
}

function mebibytesIn(source: ProcSource, device: string, name: string): number | undefined {
  const bytes = numberIn(source, device, name)
  return bytes === undefined ? undefined : bytes / MEBIBYTE
}

function nameOf(source: ProcSource, device: string): string {
  const told = plainName(source.trySys(`${device}/product_name`) ?? '')
  const listed = listedName(source.own.tryText(NAMES) ?? '', idIn(source, `${device}/device`), idIn(source, `${device}/revision`))
  return told || listed || 'AMD GPU'
}

const idIn = (source: ProcSource, path: string): string => (source.trySys(path) ?? '').trim().replace(/^0x/, '').toUpperCase()

/**
 * Returns the name of a GPU, given its device and revision id, from the text of libdrm's list. Its lines look like `73BF, C1,     AMD
 * Radeon RX 6900 XT`. `undefined` when the GPU is not listed.
 */
export function listedName(list: string, device: string, revision: string): string | undefined {
  for (const line of list.split('\n')) {
    const [id, own, name] = line.split(',').map((field) => field.trim())
    if (id === device && own === revision && name !== undefined) return plainName(name)
  }
  return undefined
}
