import type { MiddlewareHandler } from 'hono'
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Signed } from './signed.ts'

/** Whose word about other people's addresses is believed. */
export type TrustedProxies = { readonly includes: (address: string) => boolean }

/** Addresses and networks (`10.0.0.0/8`, `fd00::/8`). Throws a `RangeError` for what is neither. */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const network of networks) addNetwork(list, network)
  return {
    includes(address) {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', length, ...rest] = network.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (version === 0 || rest.length > 0 || prefix < 0 || prefix > most) {
    throw new RangeError(`"${network}" is no address and no network such as 10.0.0.0/8`)
  }
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Who is at the other end: the peer of the connection or, when that is a trusted proxy, whom it names. `X-Forwarded-For` is
 * read from its end, since only what trusted proxies appended is true: the last address that is none of theirs counts.
 * `X-Real-IP` and `CF-Connecting-IP` count where there is no such list. What is no address leaves the peer's.
 */
export function clientAddress(peer: string, headers: IncomingHttpHeaders, proxies: TrustedProxies): string {
  const direct = plainAddress(peer) ?? peer
  if (!proxies.includes(direct)) return direct
  const list = textOf(headers['x-forwarded-for'])
  if (list === undefined) return plainAddress(textOf(headers['x-real-ip']) ?? textOf(headers['cf-connecting-ip']) ?? '') ?? direct
  let named = direct
  for (const hop of list.split(',').toReversed()) {
    const address = plainAddress(hop)
    if (address === undefined) return named
    named = address
    if (!proxies.includes(address)) return named
  }
  return named
}

/** Learns who is at the other end of each request. */
export function learnAddress(proxies: TrustedProxies): MiddlewareHandler<Signed> {
  return async (c, next) => {
    const incoming = c.env?.incoming
    c.set('address', clientAddress(incoming?.socket.remoteAddress ?? '', incoming?.headers ?? {}, proxies))
    await next()
  }
}

/** A header that came twice is one list. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.join(',')
  return text === '' ? undefined : text
}

/** Without brackets, port, zone and the mapping of IPv4 into IPv6; undefined for what is no address. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(trimmed) ?? []
  const address = (bracketed ?? dotted ?? trimmed).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}
