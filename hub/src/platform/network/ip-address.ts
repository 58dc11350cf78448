import { isIP } from 'node:net'

/**
 * The one spelling of an IP address: without brackets, port, zone (RFC 4007 §11) and the mapping of IPv4 into IPv6 that dual-stack
 * sockets use (RFC 4291 §2.5.5.2), IPv6 shortened as in RFC 5952. Undefined for anything else.
 */
export function ipAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(trimmed) ?? []
  const address = (bracketed ?? dotted ?? trimmed).replace(/%.*$/, '')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  // The parser of addresses of the web shortens, and writes mapped IPv4 as two groups of hexadecimal digits.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? []
  return high === undefined || low === undefined ? short : dottedOf(Number.parseInt(high, 16), Number.parseInt(low, 16))
}

const dottedOf = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')

/** The network that counts as one peer: an IPv4 address, or the first 64 bits of an IPv6 address, because everybody with one has 2^64 of them. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const plain = ipAddress(address) ?? address
  if (isIP(plain) !== 6) return plain
  const [front = '', back] = plain.split('::')
  const before = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** Whether an address is this machine's own, where nobody listens in between. */
export function isLoopback(address: string): boolean {
  const plain = ipAddress(address)
  return plain === '::1' || (plain?.startsWith('127.') ?? false)
}
