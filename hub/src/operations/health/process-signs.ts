/** What a process uses. `cpuPercent`: of one core since it was last asked for, beyond 100 with more. `loopLateMs`: see {@link watchProcess}. */
export type ProcessSigns = {
  readonly cpuPercent: number
  readonly residentBytes: number
  readonly heapBytes: number
  readonly loopLateMs: number
}

const LOOK_EVERY_MS = 1000

/**
 * Watches this process. `loopLateMs` is by how much the most belated of its looks, one a second, came too late since the last
 * reading: for so long everything else waited, too.
 */
export function watchProcess(): { readonly read: () => ProcessSigns; readonly stop: () => void } {
  let cpu = process.cpuUsage()
  let readAtMs = performance.now()
  let lookedAtMs = readAtMs
  let latestMs = 0

  function look(): void {
    const nowMs = performance.now()
    latestMs = Math.max(latestMs, nowMs - lookedAtMs - LOOK_EVERY_MS)
    lookedAtMs = nowMs
  }

  const looking = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    read() {
      const nowMs = performance.now()
      const { user, system } = process.cpuUsage(cpu)
      // Right after a reading there is nothing to divide by.
      const cpuPercent = ((user + system) / 1000 / Math.max(nowMs - readAtMs, 1)) * 100
      cpu = process.cpuUsage()
      readAtMs = nowMs
      const loopLateMs = latestMs
      latestMs = 0
      const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage()
      return { cpuPercent, residentBytes, heapBytes, loopLateMs }
    },
    stop: () => clearInterval(looking),
  }
}
