import type { MiddlewareHandler } from 'hono'
import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { ipAddress } from '../../platform/network/ip-address.ts'
import { networksOf, type Networks } from '../../platform/network/networks.ts'
import { defaultTrustedProxy, type TrustedProxySettings } from '../../settings/trusted-proxy-form.ts'
import type { RequestContext } from '../requests/request-context.ts'

/** Whose word about other people's addresses is believed, and in which headers. */
export type TrustedProxies = Networks & Pick<TrustedProxySettings, 'headers' | 'useLeftmostIP'>

/** `named`: addresses and networks the operator trusts, beside those of the settings. Throws a `RangeError` for what is neither. */
export function trustedProxies(named: readonly string[], { headers, useLeftmostIP, networks } = defaultTrustedProxy): TrustedProxies {
  return { ...networksOf([...named, ...networks]), headers: headers.map((name) => name.toLowerCase()), useLeftmostIP }
}

const usualHeaders = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/**
 * Who is at the other end: the peer of the connection or, when that is a trusted proxy, whom it names in the first header that
 * is there. A list is read from its end, since only what trusted proxies appended is true: the last address that is none of
 * theirs counts, unless they are said to throw away what came with a request. What is no address leaves the peer's.
 */
export function clientAddress(peer: string, headers: IncomingHttpHeaders, proxies: TrustedProxies): string {
  const direct = ipAddress(peer) ?? peer
  if (!proxies.includes(direct)) return direct
  const names = proxies.headers.length === 0 ? usualHeaders : proxies.headers
  const list = names.map((name) => textOf(ownValue(headers, name))).find((text) => text !== undefined)
  if (list === undefined) return direct
  if (proxies.useLeftmostIP) return ipAddress(list.split(',', 1)[0] ?? '') ?? direct
  let named = direct
  for (const hop of list.split(',').toReversed()) {
    const address = ipAddress(hop)
    if (address === undefined) return named
    named = address
    if (!proxies.includes(address)) return named
  }
  return named
}

/** The part of a request that says where it comes from. */
export type RequestOrigin = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers?: IncomingHttpHeaders }

/** Learns who is at the other end of each request. */
export function learnAddress(addressOf: (request: RequestOrigin) => string): MiddlewareHandler<RequestContext> {
  return async (c, next) => {
    const incoming = c.env?.incoming
    c.set('address', incoming === undefined ? '' : addressOf(incoming))
    await next()
  }
}

/** A header that came twice is one list. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.join(',')
  return text === '' ? undefined : text
}
