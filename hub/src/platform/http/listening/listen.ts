import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Server } from 'node:net'
import { dirname } from 'node:path'
import { ownValue } from '@vedette/protocol/own-value'
import { errorCode } from '../../error-code.ts'
import { isUnixSocket, listenAddressText, type ListenAddress, type TcpAddress, type UnixSocketAddress } from './listen-address.ts'
import { shellWord } from '../../process/shell-word.ts'
import { removeStaleSocket } from './stale-socket.ts'

/**
 * Maximum number of connections that the kernel queues until the hub accepts them, listen(2): 4,096. Beyond it the kernel drops connection
 * requests. Many agents may connect at once, and they give up after 5 s.
 */
const MOST_WAITING = 4096

/** Error when the hub cannot listen on an address, such as a port in use. The message is one sentence for the operator. */
export class AddressUnusableError extends Error {
  override readonly name = 'AddressUnusableError'
}

/**
 * Makes a server listen on an address and resolves when it does. Replaces the socket file that a killed hub left. Rejects with {@link
 * AddressUnusableError}.
 */
export async function listenOn(server: Server, address: ListenAddress): Promise<void> {
  try {
    if (isUnixSocket(address)) await listenOnSocket(server, address)
    else await listening(server, () => server.listen({ port: address.port, host: address.host, backlog: MOST_WAITING }))
  } catch (error) {
    const text = listenAddressText(address)
    const reason = isUnixSocket(address) ? socketReason(error, address) : tcpReason(error, address)
    throw new AddressUnusableError(`Cannot listen on ${text}: ${reason}`, { cause: error })
  }
}

/**
 * Checks that the hub can listen on an address, by listening there for a moment. Rejects with {@link AddressUnusableError} if it cannot.
 */
export async function probeAddress(address: ListenAddress): Promise<void> {
  const server = new Server()
  await listenOn(server, address)
  const closed = once(server, 'close')
  server.close()
  await closed
}

async function listenOnSocket(server: Server, address: UnixSocketAddress): Promise<void> {
  try {
    await bindSocket(server, address)
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE' || !(await removeStaleSocket(address.path))) throw error
    await bindSocket(server, address)
  }
}

const PERMISSIONS = 0o777

async function bindSocket(server: Server, { path, mode }: UnixSocketAddress): Promise<void> {
  await listening(server, () => {
    // The mask applies when the socket file is created, which listen() does at once. A later chmod would leave a moment for others.
    const mask = process.umask(PERMISSIONS & ~mode)
    try {
      server.listen({ path, backlog: MOST_WAITING })
    } finally {
      process.umask(mask)
    }
  })
}

async function listening(server: Server, listen: () => void): Promise<void> {
  const begun = once(server, 'listening')
  listen()
  await begun
}

function tcpReason(error: unknown, { port }: TcpAddress): string {
  const code = errorCode(error) ?? ''
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `another program is using it; find it with: ss -ltnp 'sport = :${port}'`,
    EACCES: `this account may not use it; use a port above 1023, or run: sudo sysctl net.ipv4.ip_unprivileged_port_start=${port}`,
    EADDRNOTAVAIL: 'this machine has no such address; list its addresses with: ip address',
    ENOTFOUND: 'there is no such name',
  }
  return ownValue(reasons, code) ?? code
}

function socketReason(error: unknown, { path }: UnixSocketAddress): string {
  const code = errorCode(error) ?? ''
  const folder = dirname(path)
  if (code === 'EADDRINUSE') return `another program listens there, or it is not a socket; see: ls -l ${shellWord(path)}`
  // libuv reports EACCES for a missing folder, too.
  if (!existsSync(folder)) return `its folder is missing; run: mkdir -p ${shellWord(folder)}`
  if (code === 'EACCES')
    return `this account may not write to its folder; run: sudo chown ${process.geteuid?.() ?? ''} ${shellWord(folder)}`
  return code
}
