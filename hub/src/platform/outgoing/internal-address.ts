import { BlockList, isIP } from 'node:net'

/** RFC 6890: this machine, and networks that are nobody else's. */
const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  internal.addSubnet(network, bits, 'ipv6')

/** Whether an address, or a host by its name alone, is one that only admins may have the hub ask. */
export function isInternal(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(address)
  if (family === 0) return address.toLowerCase() === 'localhost'
  return internal.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
