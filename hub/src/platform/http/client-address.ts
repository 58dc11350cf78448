import type { Context, Next } from 'hono'
import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { ipAddress } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import type { HttpContext } from './http-context.ts'

/**
 * Settings for forwarding headers. `headers`: the first one present is used; an empty list means the usual ones. `useLeftmostIP`: use
 * the first address of a list, for proxies that discard the client's header; otherwise the last one that is not a proxy's.
 */
export type ForwardingTrust = { readonly headers: readonly string[]; readonly useLeftmostIP: boolean; readonly networks: readonly string[] }

const standardTrust: ForwardingTrust = { headers: [], useLeftmostIP: false, networks: [] }

/** Proxies whose forwarding headers are trusted. */
export type TrustedProxies = Networks & Pick<ForwardingTrust, 'headers' | 'useLeftmostIP'>

/** `named`: addresses and networks beside those of the settings. Throws a `RangeError` for an invalid one. */
export function trustedProxies(named: readonly string[], { headers, useLeftmostIP, networks } = standardTrust): TrustedProxies {
  return { ...networksOf([...named, ...networks]), headers: headers.map((name) => name.toLowerCase()), useLeftmostIP }
}

const usualHeaders = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/**
 * The client's address: the peer of the connection or, behind a trusted proxy, the address in the first forwarding header. A list is
 * read from its end, because only trusted proxies appended there. An invalid address ends the search at the one before it.
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

/** The part of a request that holds its origin. */
export type RequestOrigin = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers?: IncomingHttpHeaders }

/** Middleware that stores the client's address in the context. */
export function setClientAddress(addressOf: (request: RequestOrigin) => string) {
  return async <E extends HttpContext>(c: Context<E>, next: Next): Promise<void> => {
    const incoming = c.env?.incoming
    c.set('address', incoming === undefined ? '' : addressOf(incoming))
    await next()
  }
}

/** A header that was sent twice becomes one list. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.join(',')
  return text === '' ? undefined : text
}
