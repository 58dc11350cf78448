/**
 * Name of the request header of an agent's WebSocket upgrade with a nonce: 32 random bytes in hexadecimal digits, new for each connection.
 * Other hubs ignore it.
 */
export const NONCE_HEADER = 'X-Vedette-Nonce'

export const NONCE_BYTES = 32

export const isNonce = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/**
 * Returns the text that a hub signs to authenticate to an agent that sent a nonce. Prefix and length distinguish it from a bare token of at
 * most 64 bytes, which hubs sign for agents without a nonce. They also distinguish it from signatures of that key as an SSH client (RFC
 * 4252 section 7).
 */
export const hubProofText = (nonce: string, token: string): string => `vedette hub proof 1\n${nonce}\n${token}`
