import type { ProcSource } from '../../source/proc-source.ts'
import type { GpuMaker } from './gpu-source.ts'

/** PCI vendors; source: the PCI ID repository. */
export const vendorIds = { nvidia: '0x10de', amd: '0x1002', intel: '0x8086' } as const

/**
 * Whether the device behind a sysfs folder is powered down (kernel Documentation/ABI/testing/sysfs-devices-power). Reading
 * its sensors or counters would wake it.
 */
export const isAsleep = (source: ProcSource, device: string): boolean =>
  source.trySys(`${device}/power/runtime_status`)?.trim() === 'suspended'

/** Display and compute devices (PCI class 03) of one vendor, as folders of sysfs. */
export const pciGpus = (source: ProcSource, vendor: string): readonly string[] =>
  source
    .listSys('bus/pci/devices')
    .map((name) => `bus/pci/devices/${name}`)
    .filter(
      (device) => source.trySys(`${device}/vendor`)?.trim() === vendor && source.trySys(`${device}/class`)?.startsWith('0x03') === true,
    )

/** Cards of the kernel's graphics drivers (`card0`), without their connectors (`card0-DP-1`), with the folder of their device. */
export const drmCards = (source: ProcSource, vendor: string): readonly { readonly id: string; readonly device: string }[] =>
  source
    .listSys('class/drm')
    .filter((name) => /^card\d+$/.test(name))
    .map((id) => ({ id, device: `class/drm/${id}/device` }))
    .filter(({ device }) => source.trySys(`${device}/vendor`)?.trim() === vendor)

/** The folder of the hardware monitor that belongs to a device. */
export const sensorFolder = (source: ProcSource, device: string): string | undefined => {
  const name = source.listSys(`${device}/hwmon`).find((one) => one.startsWith('hwmon'))
  return name === undefined ? undefined : `${device}/hwmon/${name}`
}

/** A whole number of 0 or more; `undefined` without a folder. */
export function numberIn(source: ProcSource, folder: string | undefined, name: string): number | undefined {
  const text = folder === undefined ? '' : (source.trySys(`${folder}/${name}`)?.trim() ?? '')
  const value = /^\d+$/.test(text) ? Number(text) : undefined
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}

/** Where `nvidia-smi` is when it is installed; there may be no other sign of the GPU, as in some containers. */
const NVIDIA_TOOL = ['/usr/bin/nvidia-smi', '/usr/local/bin/nvidia-smi', '/bin/nvidia-smi']

/** The makers whose GPUs are here, of those that may be read. */
export function presentMakers(source: ProcSource, makers: readonly GpuMaker[]): readonly GpuMaker[] {
  const isPresent: Readonly<Record<GpuMaker, () => boolean>> = {
    nvidia: () =>
      source.tryProc('driver/nvidia/version') !== undefined ||
      NVIDIA_TOOL.some((path) => source.own.exists(path)) ||
      pciGpus(source, vendorIds.nvidia).length > 0,
    amd: () => drmCards(source, vendorIds.amd).length > 0,
    intel: () => drmCards(source, vendorIds.intel).length > 0,
  }
  return makers.filter((maker) => isPresent[maker]())
}
