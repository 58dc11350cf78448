import { ipAddress } from '../network/ip-address.ts'
import { networksOf } from '../network/networks.ts'

/**
 * Set of the IP networks that count as internal: those of this machine, and private, shared (`100.64.0.0/10`) and link-local networks (RFC
 * 6890).
 */
const internal = networksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/127',
  'fc00::/7',
  'fe80::/10',
])

/**
 * Returns true for an internal IP address (such as loopback, private or link-local) and for the host name `localhost`. False for any other
 * name or address. Only admins may let the hub send requests there, unless the operator allows it to all.
 */
export function isInternal(host: string): boolean {
  const address = ipAddress(host)
  return address === undefined ? host.toLowerCase() === 'localhost' : internal.includes(address)
}
