import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * Returns the first and the last port of the range from which the kernel takes ports for servers on port 0 and for outgoing connections,
 * ip(7). Without the kernel's file, a default range is returned.
 */
function kernelPorts(): readonly [number, number] {
  try {
    const [first, last] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1').split(/\s+/).map(Number)
    return [first ?? Number.NaN, last ?? Number.NaN]
  } catch {
    // IANA's range, of systems without this file.
    return [49_152, 65_535]
  }
}

const FIRST_PORT = 10_000
const LAST_PORT = 65_535

/**
 * Resolves with a free port of 127.0.0.1, for a program that is started with it. It is outside the range from which the kernel gives ports
 * to other processes. On Linux, this function gives the port to no other process while this one lives, also while the program restarts.
 */
export async function freePort(): Promise<number> {
  const [first, last] = kernelPorts()
  const isBelow = first - FIRST_PORT > LAST_PORT - last
  for (;;) {
    const port = isBelow ? randomInt(FIRST_PORT, first) : randomInt(last + 1, LAST_PORT + 1)
    if ((await isFree(port)) && (await isReserved(port))) return port
  }
}

/**
 * Reserves a port for this process by listening on a socket named after it in Linux's abstract namespace, unix(7). The kernel releases it
 * when the process ends. Resolves to false when another process has reserved it. Other systems reserve nothing and resolve to true.
 */
async function isReserved(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const guard = createServer().unref()
  try {
    guard.listen(`\0vedette-port-${port}`)
    await once(guard, 'listening')
    return true
  } catch {
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
