/**
 * Resource usage of the hub's process. `cpuPercent`, since the previous reading, is in percent of one core, so several cores can exceed
 * 100. `loopLateMs` is the largest event loop delay since then, in ms. Memory is the current one.
 */
export type ProcessUsage = {
  readonly cpuPercent: number
  readonly residentBytes: number
  readonly heapBytes: number
  readonly loopLateMs: number
}

const LOOK_EVERY_MS = 1000

/**
 * Starts to measure this process's CPU, memory and event loop delay. Each `read` returns the current memory, and CPU and delay since the
 * previous `read`. The event loop delay is the largest delay of a one-second timer.
 */
export function watchProcess(): { readonly read: () => ProcessUsage; readonly stop: () => void } {
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
      // `Math.max` avoids a division by 0 right after a reading.
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
