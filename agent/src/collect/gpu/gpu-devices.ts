import type { ProcSource } from '../../source/proc-source.ts'
import type { GpuMaker } from './gpu-source.ts'

/** Object from the name of a GPU maker to its PCI vendor id as text, such as `0x10de`. Source: the PCI ID repository. */
export const vendorIds = { nvidia: '0x10de', amd: '0x1002', intel: '0x8086' } as const

/**
 * Returns true when the GPU with this sysfs folder is powered down (kernel Documentation/ABI/testing/sysfs-devices-power). Reading its
 * sensors or counters would wake it.
 */
export const isAsleep = (source: ProcSource, device: string): boolean =>
  source.trySys(`${device}/power/runtime_status`)?.trim() === 'suspended'

/**
 * Returns the list of sysfs folders of one maker's display and compute devices (PCI class 03), such as `bus/pci/devices/0000:01:00.0`.
 * `vendor` is the PCI vendor id.
 */
export const pciGpus = (source: ProcSource, vendor: string): readonly string[] =>
  source
    .listSys('bus/pci/devices')
    .map((name) => `bus/pci/devices/${name}`)
    .filter(
      (device) => source.trySys(`${device}/vendor`)?.trim() === vendor && source.trySys(`${device}/class`)?.startsWith('0x03') === true,
    )

/**
 * Returns the graphics cards of one maker: for each, its id such as `card0` and the sysfs folder of its device. `vendor` is the PCI vendor
 * id. Connectors (`card0-DP-1`) are left out.
 */
export const drmCards = (source: ProcSource, vendor: string): readonly { readonly id: string; readonly device: string }[] =>
  source
    .listSys('class/drm')
    .filter((name) => /^card\d+$/.test(name))
    .map((id) => ({ id, device: `class/drm/${id}/device` }))
    .filter(({ device }) => source.trySys(`${device}/vendor`)?.trim() === vendor)

/** Returns the path of the hwmon (sensor) folder of the device with this sysfs folder; `undefined` when it has none. */
export const sensorFolder = (source: ProcSource, device: string): string | undefined => {
  const name = source.listSys(`${device}/hwmon`).find((one) => one.startsWith('hwmon'))
  return name === undefined ? undefined : `${device}/hwmon/${name}`
}

/**
 * Returns the whole number of 0 or more in the file `name` of a sysfs folder; `undefined` when the file is missing or invalid, or `folder`
 * is `undefined`.
 */
export function numberIn(source: ProcSource, folder: string | undefined, name: string): number | undefined {
  const text = folder === undefined ? '' : (source.trySys(`${folder}/${name}`)?.trim() ?? '')
  const value = /^\d+$/.test(text) ? Number(text) : undefined
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined
}

/** List of the usual paths of the program `nvidia-smi`. In some containers, it is the only sign of an NVIDIA GPU. */
const NVIDIA_TOOL = ['/usr/bin/nvidia-smi', '/usr/local/bin/nvidia-smi', '/bin/nvidia-smi']

/**
 * Returns the list of those of the given GPU makers (NVIDIA, AMD, Intel) whose GPUs this machine has. For NVIDIA, its driver or the program
 * `nvidia-smi` suffices.
 */
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
