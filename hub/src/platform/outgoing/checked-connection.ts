import { isIP, connect as connectPlain, type LookupFunction, type Socket } from 'node:net'
import { connect as connectEncrypted } from 'node:tls'
import { errorCode } from '../error-code.ts'
import { addressesForAdmins, UnreachableError } from './reachable-address.ts'

/**
 * Makes the option `lookup` of a connection, which resolves every name to these checked IP addresses. A name thus cannot resolve to another
 * address after the check.
 */
export const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    // All addresses, so that the next one is tried if one does not respond.
    const found = addresses.map((checked) => ({ address: checked, family: isIP(checked) }))
    if (all === true) done(null, found)
    else done(null, addresses[0] ?? '', isIP(addresses[0] ?? ''))
  }

/** Returns the reason why a connection failed, such as `ECONNREFUSED`, or that there was no response within `deadlineMs` (ms). */
export function connectionFailureOf(error: unknown, deadlineMs: number): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer within ${deadlineMs / 1000} s`
  return errorCode(error) ?? 'the connection failed'
}

type CheckedConnection = {
  readonly hostname: string
  readonly port: number
  readonly isEncrypted: boolean
  /** True to accept any TLS certificate of the host to which the hub connects, without verification, because the user chose so. */
  readonly acceptsAnyCertificate: boolean
  /**
   * Abort signal of the connection to a host that a user entered. It cancels the attempt, and destroys the connection also after it was
   * established.
   */
  readonly signal: AbortSignal
  /** Function that gets a resolved IP address of the host and returns true when the hub may connect to it. */
  readonly mayAsk: (address: string) => boolean
}

/**
 * Connects by TCP or TLS to a host that a user entered, protected against SSRF like `checkedFetch`. Resolves when the connection is
 * established. Rejects with {@link UnreachableError} for a refused address, otherwise with the error of the connection.
 */
export async function checkedConnection(options: CheckedConnection): Promise<Socket> {
  const { port, isEncrypted, acceptsAnyCertificate, signal, mayAsk } = options
  const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = await addressesForAdmins(host, signal)
  if (!addresses.every(mayAsk)) throw new UnreachableError(`Cannot connect to "${host}": its address is internal`)
  signal.throwIfAborted()
  const target = { host, port, lookup: lookupOf(addresses) }
  const socket = isEncrypted
    ? connectEncrypted({ ...target, ...(isIP(host) === 0 ? { servername: host } : {}), rejectUnauthorized: !acceptsAnyCertificate })
    : connectPlain(target)
  const stop = (): void => void socket.destroy(signal.reason instanceof Error ? signal.reason : undefined)
  signal.addEventListener('abort', stop)
  socket.on('close', () => signal.removeEventListener('abort', stop))
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  // It stays after the connection was established: an error without a listener would end the process.
  socket.on('error', reject)
  socket.once('close', () => reject(new Error('the connection was closed')))
  socket.once(isEncrypted ? 'secureConnect' : 'connect', () => resolve(socket))
  return promise
}
