import type { Context, Next } from 'hono'
import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { ipAddress } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import type { HttpContext } from './http-context.ts'

/**
 * How forwarding headers are read. `headers`: the first one that is present counts; none means the usual ones. `useLeftmostIP`: the first
 * address of a list counts, for proxies that discard what a client sent; else the last one that is no proxy's.
 */
export type ForwardingTrust = { readonly headers: readonly string[]; readonly useLeftmostIP: boolean; readonly networks: readonly string[] }

const standardTrust: ForwardingTrust = { headers: [], useLeftmostIP: false, networks: [] }

/** The proxies whose forwarding headers are believed. */
export type TrustedProxies = Networks & Pick<ForwardingTrust, 'headers' | 'useLeftmostIP'>

/** `named`: addresses and networks beside those of the settings. Throws a `RangeError` for a text that is neither. */
export function trustedProxies(named: readonly string[], { headers, useLeftmostIP, networks } = standardTrust): TrustedProxies {
  return { ...networksOf([...named, ...networks]), headers: headers.map((name) => name.toLowerCase()), useLeftmostIP }
}

const usualHeaders = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/**
 * The client's address: the peer of the connection or, for a trusted proxy, the address in the first forwarding header. A list is read from
 * its end, since only trusted proxies appended there; an invalid address leaves the one before it.
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

/** Stores the client's address for the steps and handlers that follow. */
export function setClientAddress(addressOf: (request: RequestOrigin) => string) {
  return async <E extends HttpContext>(c: Context<E>, next: Next): Promise<void> => {
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
