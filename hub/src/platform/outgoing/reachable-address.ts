import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { withDeadline } from '../deadline.ts'
import { ipAddress } from '../network/ip-address.ts'
import { networksOf } from '../network/networks.ts'

/**
 * Thrown when a host to which the hub sends a request cannot be reached, or must not be contacted. The message names the kind of failure,
 * never bytes of a response.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const LOOKUP_DEADLINE_MS = 10_000
const MOST_ADDRESSES = 4

/**
 * Set of the IP networks to which the hub never sends requests, not even for admins: link-local, unspecified, multicast and reserved ones
 * (RFC 6890). At link-local addresses, clouds and routers serve data without authentication.
 */
const refused = networksOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // Link-local IPv4 behind a NAT64 translator (RFC 6052 §2.1).
  '64:ff9b::169.254.0.0/112',
])

/**
 * Returns true when the hub may connect to an IP address that an admin entered. False for link-local, unspecified, multicast and reserved
 * addresses, and for a text that is no IP address.
 */
export function isReachableForAdmins(host: string): boolean {
  const address = ipAddress(host)
  return address !== undefined && !refused.includes(address)
}

/**
 * Resolves a host that an admin entered to at most 4 checked IP addresses, in the order to try. Rejects with {@link UnreachableError} when
 * there is none or one of them is not allowed. DNS must respond within 10 s and before `signal` aborts.
 */
export async function addressesForAdmins(host: string, signal?: AbortSignal): Promise<readonly string[]> {
  const found = await resolved(host, signal)
  if (found.length === 0) throw new UnreachableError(`Cannot find the host "${host}"`)
  if (!found.every(isReachableForAdmins)) throw new UnreachableError(`Cannot connect to "${host}": its address is link-local`)
  return found.slice(0, MOST_ADDRESSES)
}

async function resolved(host: string, signal?: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  const late = (): UnreachableError => new UnreachableError(`Cannot find the host "${host}": the name servers do not answer`)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(late())
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted === true) giveUp()
  try {
    const found = await withDeadline(LOOKUP_DEADLINE_MS, Promise.race([aborted, lookup(host, { all: true })]), late)
    return found.map(({ address }) => address)
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    throw new UnreachableError(`Cannot find the host "${host}"`, { cause: error })
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}
