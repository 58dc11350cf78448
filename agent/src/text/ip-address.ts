/**
 * Parses an IPv4 address into 4 bytes or an IPv6 address (RFC 4291 section 2.2) into 16; `undefined` for other texts. IPv4 addresses mapped
 * into IPv6 become 4 bytes.
 */
export function ipAddress(text: string): readonly number[] | undefined {
  if (!text.includes(':')) return ipv4(text)
  const [before = '', after, more] = text.split('::')
  if (more !== undefined) return undefined
  const [head, tail] = [groups(before, after === undefined), groups(after ?? '', true)]
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (after === undefined ? missing !== 0 : missing < 2) return undefined
  const bytes = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  return bytes.every((byte, at) => at >= 12 || byte === (at < 10 ? 0 : 255)) ? bytes.slice(12) : bytes
}

/**
 * Returns true when `address` lies in the network `network`, given in CIDR notation (RFC 4632), such as `10.0.0.0/8`. False when either
 * text is invalid.
 */
export function inIpNetwork(network: string, address: string): boolean {
  const [base = '', length = '', more] = network.split('/')
  const [from, to] = [ipAddress(base), ipAddress(address)]
  if (from === undefined || from.length !== to?.length || !/^\d{1,3}$/.test(length) || more !== undefined) return false
  const bits = Number(length)
  if (bits > from.length * 8) return false
  return from.every((byte, at) => {
    const size = 2 ** Math.min(8, Math.max(0, 8 * (at + 1) - bits))
    return Math.floor(byte / size) === Math.floor((to[at] ?? 0) / size)
  })
}

/**
 * Parses the hexadecimal groups of an IPv6 address before or after `::`, such as `2001:db8`, and returns two bytes for each; `undefined`
 * when invalid. With `isEnd` (part at the address's end), the last four bytes may be written as IPv4.
 */
function groups(text: string, isEnd: boolean): readonly number[] | undefined {
  const bytes: number[] = []
  const parts = text === '' ? [] : text.split(':')
  for (const [at, part] of parts.entries()) {
    const dotted = isEnd && at === parts.length - 1 ? ipv4(part) : undefined
    if (dotted !== undefined) bytes.push(...dotted)
    else if (/^[0-9a-f]{1,4}$/i.test(part)) bytes.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff)
    else return undefined
  }
  return bytes
}

function ipv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255) ? parts.map(Number) : undefined
}
