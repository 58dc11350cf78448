/** Requests in libuv's thread pool that can hang: a name lookup, and a file of a network drive (`process.getActiveResourcesInfo()`). */
const threadPoolRequests: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'FSReqCallback', 'FSReqPromise'])

/**
 * Ends the process now. `process.exit` waits for the threads of libuv's pool, which a name server that is silent holds for 10 s. While
 * one works, the process is replaced instead (execve(2)), which ends its threads.
 */
export function endProcess(status: number): never {
  const isPoolBusy = process.getActiveResourcesInfo().some((name) => threadPoolRequests.has(name))
  // Windows has no execve.
  if (isPoolBusy) process.execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${status})`], {})
  process.exit(status)
}
