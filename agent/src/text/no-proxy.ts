import { inIpNetwork, ipAddress } from './ip-address.ts'

/**
 * Returns true when the list NO_PROXY (text, entries separated by commas) excludes this host from the proxy. Entries: a host, an IP
 * address, a CIDR network, `.example.org` or `*.example.org` for a domain with all names in it, `*` for all.
 */
export function bypassesProxy(noProxy: string, host: string): boolean {
  const name = bare(host).replace(/\.$/, '').toLowerCase()
  return noProxy
    .split(',')
    .map((entry) => bare(entry.trim().toLowerCase()))
    .some((entry) => entry !== '' && fits(entry, name))
}

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function fits(entry: string, host: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return inIpNetwork(entry, host)
  const address = ipAddress(entry)
  if (address !== undefined) return address.join() === ipAddress(host)?.join()
  const domain = /^\*?\.(.+)$/.exec(entry)?.[1]
  return domain === undefined ? host === entry : host === domain || host.endsWith(`.${domain}`)
}
