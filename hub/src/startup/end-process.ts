import { isSea } from 'node:sea'

/**
 * Names of pending operations, as `process.getActiveResourcesInfo()` returns them, such as `GetAddrInfoReqWrap`. They are DNS lookups and
 * file accesses, which can block libuv's thread pool and with it `process.exit`.
 */
const threadPoolRequests: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'FSReqCallback', 'FSReqPromise'])

/**
 * Command of the single executable (`--exit`) that exits at once with the status in its next argument. It replaces `node --eval`, which the
 * executable lacks.
 */
export const EXIT_COMMAND = '--exit'

/**
 * Ends the process now with the exit status. `process.exit` would wait for libuv's thread pool, which a silent name server blocks for 10 s.
 * While the pool is busy, execve(2) replaces the process by one that only exits with the status.
 */
export function endProcess(status: number): never {
  const isPoolBusy = process.getActiveResourcesInfo().some((name) => threadPoolRequests.has(name))
  // Windows has no execve.
  if (isPoolBusy)
    process.execve?.(
      process.execPath,
      [process.execPath, ...(isSea() ? [EXIT_COMMAND, `${status}`] : ['--eval', `process.exit(${status})`])],
      {},
    )
  process.exit(status)
}
