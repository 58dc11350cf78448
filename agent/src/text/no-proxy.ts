/**
 * Whether NO_PROXY leaves this host to a direct connection. Its entries stand between commas: a host, an IP address, an IPv4 network in CIDR
 * notation (RFC 4632), `*.example.org` or `.example.org` for a domain with everything below it, `*` for all.
 */
export function bypassesProxy(noProxy: string, host: string): boolean {
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && fits(entry, name))
}

function fits(entry: string, host: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return inNetwork(entry, host)
  const domain = /^\*?\.(.+)$/.exec(entry)?.[1]
  return domain === undefined ? host === entry : host === domain || host.endsWith(`.${domain}`)
}

function inNetwork(network: string, host: string): boolean {
  const [base = '', length = ''] = network.split('/')
  const [from, address, bits] = [ipv4(base), ipv4(host), Number(length)]
  if (from === undefined || address === undefined || !/^\d+$/.test(length) || bits > 32) return false
  const size = 2 ** (32 - bits)
  return Math.floor(from / size) === Math.floor(address / size)
}

/** The 32 bits as one number; `undefined` for what is no dotted quad. */
function ipv4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined
  return parts.reduce((number, part) => number * 256 + Number(part), 0)
}
