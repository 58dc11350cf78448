import { ipAddress } from '../network/ip-address.ts'
import { networksOf } from '../network/networks.ts'

/** RFC 6890: addresses of this machine and of private networks. */
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

/** True for an internal address or host name. Only admins may send the hub's requests to it. */
export function isInternal(host: string): boolean {
  const address = ipAddress(host)
  return address === undefined ? host.toLowerCase() === 'localhost' : internal.includes(address)
}
