import type { Context, Next } from 'hono'
import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { ipAddress } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import type { HttpContext } from './http-context.ts'

/**
 * Settings of admins for headers such as `X-Forwarded-For`. The first of `headers` that a request has is used; an empty list means the
 * usual three. `useLeftmostIP` takes its first address, otherwise the last outside of `networks`.
 */
export type ForwardingTrust = { readonly headers: readonly string[]; readonly useLeftmostIP: boolean; readonly networks: readonly string[] }

const standardTrust: ForwardingTrust = { headers: [], useLeftmostIP: false, networks: [] }

/**
 * Set of the networks of trusted proxies, whose forwarding headers the hub uses. `headers` and `useLeftmostIP` say how to read those
 * headers.
 */
export type TrustedProxies = Networks & Pick<ForwardingTrust, 'headers' | 'useLeftmostIP'>

/**
 * Text `unix`: the address of every peer of a Unix socket. An operator trusts these peers as proxies by naming it in `--trusted-proxies`.
 */
export const UNIX_PEER = 'unix'

/**
 * Function that returns the address of the other end of a connection: an IP address, or {@link UNIX_PEER} for a Unix socket. It returns
 * `''` if the address is unknown.
 */
export type PeerAddress = (socket: { readonly remoteAddress?: string | undefined }) => string

/**
 * Returns the function from socket to peer address. With `isUnixSocket` (the server listens on a Unix socket) it always returns `unix`,
 * otherwise the IP address, or `''` for a closed connection.
 */
export const peerAddress = (isUnixSocket: boolean): PeerAddress =>
  isUnixSocket ? () => UNIX_PEER : ({ remoteAddress = '' }) => remoteAddress

/**
 * Builds the set of trusted proxies from the addresses and networks in `named` (command line, also {@link UNIX_PEER}) and in the settings.
 * Throws a `RangeError` for a text that is no address or network.
 */
export function trustedProxies(named: readonly string[], { headers, useLeftmostIP, networks } = standardTrust): TrustedProxies {
  const trusted = networksOf([...named.filter((name) => name !== UNIX_PEER), ...networks])
  const trustsUnix = named.includes(UNIX_PEER)
  const includes = (address: string): boolean => (address === UNIX_PEER ? trustsUnix : trusted.includes(address))
  return { includes, headers: headers.map((name) => name.toLowerCase()), useLeftmostIP }
}

const usualHeaders = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']

/**
 * Returns the client's IP address: `peer`, the address of the connection, or behind a trusted proxy one from the first forwarding header
 * present. That is the last address in it that is no trusted proxy (the first one if all are), or with `useLeftmostIP` the first. Reading
 * stops before an invalid address.
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

/**
 * Parts of a Node.js request that determine its client's address: the socket, whose remote address is that of the connection, and the
 * headers.
 */
export type RequestOrigin = { readonly socket: { readonly remoteAddress?: string | undefined }; readonly headers?: IncomingHttpHeaders }

/** Creates the Hono middleware that stores the client's IP address, as `addressOf` determines it, in the request context as `address`. */
export function setClientAddress(addressOf: (request: RequestOrigin) => string) {
  return async <E extends HttpContext>(c: Context<E>, next: Next): Promise<void> => {
    const incoming = c.env?.incoming
    c.set('address', incoming === undefined ? '' : addressOf(incoming))
    await next()
  }
}

/** Returns the text of an HTTP header's value; repeated values are joined with commas. `undefined` for an empty or missing header. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : header?.join(',')
  return text === '' ? undefined : text
}
