const LOOK_EVERY_MS = 500

/**
 * Watches the parent process every 500 ms and sends SIGTERM to this process once the parent's PID is no longer `starter`. Does nothing for
 * a `starter` of 1 or less. Needed because npm does not stop its children when it is killed.
 */
export function endWithStarter(starter: number): void {
  if (!(starter > 1)) return
  setInterval(() => {
    if (process.ppid !== starter) process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}
