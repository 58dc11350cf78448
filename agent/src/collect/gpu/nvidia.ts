import type { Commands } from '../../runtime/command.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import { isAsleep, pciGpus, vendorIds } from './gpu-devices.ts'
import { createGpuMeans } from './gpu-means.ts'
import type { GpuSource } from './gpu-source.ts'
import { parseNvidiaLine } from './nvidia-line.ts'

/**
 * Number of readings in a row with idle GPUs, 75 for each GPU (5 min). After them, `nvidia-smi` is stopped if the kernel is allowed to
 * suspend the GPUs.
 */
const IDLE_READINGS = 75
/**
 * Time in ms, 120 s, after `nvidia-smi` was stopped, before the power state of NVIDIA GPUs is read. The driver takes time to suspend them.
 */
const LEFT_ALONE_MS = 120_000

/**
 * Maximum number of NVIDIA GPUs, 64, whose readings the agent stores; readings of further ones are ignored. It limits the memory that
 * faulty output can take.
 */
const MAX_GPUS = 64

/**
 * Creates the reader of NVIDIA GPUs. It keeps `nvidia-smi` running, because each start costs a second of CPU. That keeps GPUs awake, so it
 * is not started while all of them are suspended, and stopped when idle ones could suspend.
 */
export function nvidiaSource(source: ProcSource, commands: Commands): GpuSource {
  const means = createGpuMeans()
  const names = new Map<string, string>()
  let stop: (() => void) | undefined
  let idleReadings = 0
  let restsSinceMs: number | undefined
  let problem: string | undefined

  const onLine = (line: string): void => {
    const reading = parseNvidiaLine(line)
    if (reading === undefined || (!names.has(reading.id) && names.size >= MAX_GPUS)) return
    problem = undefined
    names.set(reading.id, reading.name)
    means.add(reading)
    idleReadings = reading.usagePercent === 0 ? idleReadings + 1 : 0
  }

  const rest = (atMs: number): void => {
    stop?.()
    stop = undefined
    idleReadings = 0
    restsSinceMs = atMs
    // A suspended GPU has no readings, only its name.
    for (const [id, name] of names) means.add({ id, name })
  }

  const devices = (): readonly string[] => pciGpus(source, vendorIds.nvidia)
  const maySleep = (): boolean => {
    const all = devices()
    return all.length > 0 && all.every((device) => source.trySys(`${device}/power/control`)?.trim() === 'auto')
  }
  const allAsleep = (): boolean => {
    const all = devices()
    return all.length > 0 && all.every((device) => isAsleep(source, device))
  }

  return {
    statesAt: (tick) => {
      const { atMs } = tick
      if (stop !== undefined && idleReadings >= IDLE_READINGS * Math.max(1, names.size)) {
        idleReadings = 0
        if (maySleep()) rest(atMs)
      }
      const isLeftAlone = restsSinceMs !== undefined && atMs - restsSinceMs < LEFT_ALONE_MS
      if (stop === undefined && !isLeftAlone && !allAsleep()) {
        const onEnd = (reason: string): void => {
          problem = reason
        }
        stop = commands.follow({ name: 'nvidia-smi loop' }, { onLine, onEnd })
      }
      return means.statesAt(tick)
    },
    skipped: () => {
      if (problem !== undefined) return [{ what: 'NVIDIA GPUs', why: problem }]
      return stop === undefined ? [{ what: 'NVIDIA GPUs', why: 'they sleep, and reading would wake them' }] : []
    },
    remedy: () =>
      problem?.endsWith('is not installed') === true ? 'Install nvidia-smi: it comes with the NVIDIA driver (nvidia-utils)' : undefined,
  }
}
