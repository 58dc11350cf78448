import { present } from '@vedette/protocol/wire/present'
import { plainName } from '../../text/plain-name.ts'
import type { GpuReading } from './gpu-means.ts'

/**
 * Parses one line of `nvidia-smi --query-gpu=index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw
 * --format=csv,noheader,nounits`; `undefined` for other lines. Memory is in MiB. A value that the GPU does not report (`[N/A]`), 0 °C or
 * less, and a usage above 100 % are left out.
 */
export function parseNvidiaLine(line: string): GpuReading | undefined {
  const fields = line.split(',').map((field) => field.trim())
  const [index = ''] = fields
  if (fields.length < 7 || !/^\d+$/.test(index)) return undefined
  const [celsius, used, total, usage, power] = fields.slice(-5).map(parseValue)
  return present<GpuReading>({
    id: index,
    name: gpuName(fields.slice(1, -5).join(', ')),
    celsius: celsius !== undefined && celsius > 0 ? celsius : undefined,
    memoryUsedMegabytes: used,
    memoryTotalMegabytes: total,
    usagePercent: usage !== undefined && usage <= 100 ? usage : undefined,
    powerWatts: power,
  })
}

const parseValue = (field: string): number | undefined => (/^\d+(\.\d+)?$/.test(field) ? Number(field) : undefined)

/** Returns a shorter NVIDIA GPU name: without `NVIDIA ` at the start and ` Laptop GPU` at the end. `GPU` when nothing is left. */
export const gpuName = (text: string): string =>
  plainName(text)
    .replace(/^NVIDIA /, '')
    .replace(/ Laptop GPU$/, '') || 'GPU'
