/**
 * Name of the request header, in an agent's WebSocket upgrade, that carries a nonce: 32 random bytes in hexadecimal digits, new for each
 * connection. Hubs of other projects ignore it.
 */
export const NONCE_HEADER = 'X-Vedette-Nonce'

export const NONCE_BYTES = 32

export const isNonce = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/**
 * Returns the text that a hub signs to authenticate to an agent that sent `nonce`; `token` is the agent's token. The text's prefix
 * distinguishes it from all others that the hub's key signs: bare tokens and SSH logins (RFC 4252).
 */
export const hubProofText = (nonce: string, token: string): string => `vedette hub proof 1\n${nonce}\n${token}`
