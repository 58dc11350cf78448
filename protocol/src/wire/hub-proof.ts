/** Request header of an agent's WebSocket upgrade: 32 random bytes in hexadecimal digits, new for each connection. Other hubs ignore it. */
export const NONCE_HEADER = 'X-Vedette-Nonce'

export const NONCE_BYTES = 32

export const isNonce = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/**
 * The bytes that a hub signs to prove its key to an agent that sent a nonce. The prefix and the length keep it apart from a bare token, which hubs sign
 * for other agents and which has 64 bytes at most, and from what the same key signs as an SSH client (RFC 4252 section 7).
 */
export const hubProofText = (nonce: string, token: string): string => `vedette hub proof 1\n${nonce}\n${token}`
