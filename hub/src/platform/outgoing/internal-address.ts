import { ipAddress } from '../network/ip-address.ts'
import { networksOf } from '../network/networks.ts'

/** RFC 6890: this machine, and networks that are nobody else's. */
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

/** Whether an address, or a host by its name alone, is one that only admins may have the hub ask. */
export function isInternal(host: string): boolean {
  const address = ipAddress(host)
  return address === undefined ? host.toLowerCase() === 'localhost' : internal.includes(address)
}
