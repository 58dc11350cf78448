import { isIP } from 'node:net'

/**
 * Normalises the text of an IP address: removes brackets, port and zone (RFC 4007 §11), turns IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) into
 * IPv4, and shortens IPv6 (RFC 5952). Returns `undefined` for any other text.
 */
export function ipAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(trimmed) ?? []
  const address = (bracketed ?? dotted ?? trimmed).replace(/%.*$/, '')
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  // The URL parser shortens IPv6 and writes mapped IPv4 as two groups of hexadecimal digits.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? []
  return high === undefined || low === undefined ? short : dottedOf(Number.parseInt(high, 16), Number.parseInt(low, 16))
}

const dottedOf = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')

/**
 * Returns the network that rate limits count as one client: the IPv4 address itself, or the first 64 bits of an IPv6 address, such as
 * `2001:db8:0:1`.
 */
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

/** Returns true for a loopback address (127.0.0.0/8 or `::1`), whose traffic does not leave this machine. */
export function isLoopback(address: string): boolean {
  const plain = ipAddress(address)
  return plain === '::1' || (plain?.startsWith('127.') ?? false)
}
