const LOOK_EVERY_MS = 500

/** Asks this process to stop, with SIGTERM, once its parent is no longer the process `starter`: npm, which passes its own death on to nobody. */
export function endWithStarter(starter: number): void {
  if (!(starter > 1)) return
  setInterval(() => {
    if (process.ppid !== starter) process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}
