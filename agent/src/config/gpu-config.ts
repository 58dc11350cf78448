import type { GpuMaker } from '../collect/gpu/gpu-source.ts'
import type { GpuSetting } from '../collect/loaded-collectors.ts'
import type { OptionReader } from './option-reader.ts'

const ALL: readonly GpuMaker[] = ['nvidia', 'amd', 'intel']

/**
 * Map from a value of the option GPU_COLLECTOR, such as `nvtop`, to the GPU makers whose GPUs are read then. The values are names of
 * programs that Beszel agents run; this agent reads the GPUs in other ways.
 */
const makersByCollector: ReadonlyMap<string, readonly GpuMaker[]> = new Map<string, readonly GpuMaker[]>([
  ['nvidia-smi', ['nvidia']],
  ['nvml', ['nvidia']],
  ['amd_sysfs', ['amd']],
  ['rocm-smi', ['amd']],
  ['intel_sysfs', ['intel']],
  ['intel_gpu_top', ['intel']],
  ['nvtop', ALL],
  ['tegrastats', []],
  ['macmon', []],
  ['powermetrics', []],
])

const own: readonly string[] = ['nvidia-smi', 'amd_sysfs', 'intel_sysfs']

/**
 * Reads the options for GPUs (SKIP_GPU, GPU_COLLECTOR, and AMD_SYSFS and NVML of Beszel agents). Returns the setting: disabled, or the list
 * of GPU makers to read. By default, all makers are read.
 */
export function readGpus(reader: OptionReader): GpuSetting {
  if (isOn(reader, 'SKIP_GPU')) return { mode: 'off' }
  isOn(reader, 'AMD_SYSFS')
  if (isOn(reader, 'NVML')) reader.remark('NVML: this agent reads NVIDIA GPUs through nvidia-smi')
  const names = (reader.text('GPU_COLLECTOR') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  if (names.length === 0) return { mode: 'on', makers: ALL }
  const unknown = names.filter((name) => !makersByCollector.has(name))
  if (unknown.length > 0) reader.refuse(`GPU_COLLECTOR: "${unknown.join(', ')}" is not one of ${[...makersByCollector.keys()].join(', ')}`)
  const others = names.filter((name) => makersByCollector.has(name) && !own.includes(name))
  if (others.length > 0) reader.remark(`GPU_COLLECTOR: this agent has no ${others.join(', ')}; it has ${own.join(', ')}`)
  return { mode: 'on', makers: [...new Set(names.flatMap((name) => makersByCollector.get(name) ?? []))] }
}

function isOn(reader: OptionReader, name: 'SKIP_GPU' | 'NVML' | 'AMD_SYSFS'): boolean {
  const text = (reader.text(name) ?? 'false').toLowerCase()
  if (!/^(true|false|1|0)$/.test(text)) reader.refuse(`${name}: "${text}" is not true or false`)
  return text === 'true' || text === '1'
}
