import { isIP } from 'node:net'
import { badRequest } from '../../records/model/record-error.ts'

/** Address for which passkeys of this hub are valid (WebAuthn relying party): the `id` is the host name of the `origin`. */
export type RelyingParty = { readonly id: string; readonly origin: string }

/** Addresses by which a browser reached the hub: its headers `Origin` and `Host`, and the hub's own public URL, if it is configured. */
export type ReachedAddress = {
  readonly origin: string | undefined
  readonly host: string | undefined
  readonly appUrl: string | undefined
}

/**
 * Returns the relying party for a page of this hub. With a public URL, only pages of that address can use passkeys, else the address of the
 * request. Throws 400 for another address, an IP address, and an address without HTTPS except `localhost`, because browsers have no
 * passkeys there.
 */
export function relyingPartyOf({ origin, host, appUrl }: ReachedAddress): RelyingParty {
  if (origin === undefined || !URL.canParse(origin)) throw badRequest('Passkeys need a browser.')
  const page = new URL(origin)
  const own = appUrl === undefined ? undefined : new URL(appUrl).origin
  if (own !== undefined && page.origin !== own) throw badRequest(`Passkeys work only at the address of this hub: ${own}`)
  if (own === undefined && page.host !== host) throw badRequest('Passkeys work only on pages of this hub.')
  // URL keeps the brackets of an IPv6 address.
  if (isIP(page.hostname.replaceAll(/^\[|\]$/g, '')) !== 0)
    throw badRequest('Passkeys need a host name. Open the hub by its name, not by its IP address.')
  if (page.protocol !== 'https:' && !isLocal(page.hostname)) throw badRequest('Passkeys need HTTPS.')
  return { id: page.hostname, origin: page.origin }
}

const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')
