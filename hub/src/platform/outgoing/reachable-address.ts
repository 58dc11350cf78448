import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { withDeadline } from '../deadline.ts'
import { ipAddress } from '../network/ip-address.ts'
import { networksOf } from '../network/networks.ts'

/** Why a peer is not asked: a class, never what it said. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const LOOKUP_DEADLINE_MS = 10_000
const MOST_ADDRESSES = 4

/** RFC 6890: addresses where clouds and routers answer questions that are nobody's, and those that are no machine's. */
const refused = networksOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // IPv4 behind a translator (RFC 6052 §2.1).
  '64:ff9b::169.254.0.0/112',
])

/** Whether the hub may connect to an address that an admin named. Link-local addresses and those of nobody: never. */
export function isReachableForAdmins(host: string): boolean {
  const address = ipAddress(host)
  return address !== undefined && !refused.includes(address)
}

/**
 * The addresses of a host that an admin named, in the order to try them: what is connected to is what was checked. Throws
 * {@link UnreachableError} when there is none, one of them must not be asked, or the name servers do not answer before `signal`.
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
