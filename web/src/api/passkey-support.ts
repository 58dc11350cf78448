import * as words from '../words/messages.js'

/**
 * Returns why this page cannot use passkeys, as a translated sentence; `undefined` if it can. The page's address must have a host name (no
 * IP address) and be secure (HTTPS or localhost), and the browser must support WebAuthn.
 */
export function passkeyProblem(): string | undefined {
  if (isIpAddress(location.hostname)) return words.passkeys_need_name()
  if (!isSecureContext) return words.passkeys_need_https()
  return 'PublicKeyCredential' in globalThis ? undefined : words.passkeys_need_browser()
}

/** Returns true when a host name (as in `location.hostname`) is an IPv4 address, or an IPv6 address in brackets. */
const isIpAddress = (name: string): boolean => name.startsWith('[') || /^[\d.]+$/.test(name)
