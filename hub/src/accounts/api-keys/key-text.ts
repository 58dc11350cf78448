import { createHash } from 'node:crypto'
import { randomId } from '../../platform/secrets/random-id.ts'

/** Text `vdt_` with which every API key begins. */
export const KEY_PREFIX = 'vdt_'
/**
 * Number of random characters of an API key after its prefix: 50. 50 lower-case letters and digits are 258 bits. Agents send at most 64
 * bytes.
 */
const RANDOM_LENGTH = 50
const FORM = /^vdt_[0-9a-z]{50}$/

/** Creates the text of a new API key: `vdt_` and 50 random characters. */
export const createKeyText = (): string => KEY_PREFIX + randomId(RANDOM_LENGTH)

/** Returns true if a text has the prefix, length and characters of an API key. */
export const isKeyText = (text: string): boolean => FORM.test(text)

/**
 * Returns the text to store for the token of an enrolled agent: the token itself, or `sha256:` and the digest for an API key. Agents cannot
 * send a text of that length, so a database thief cannot sign in with it.
 */
export const storedToken = (token: string): string => (isKeyText(token) ? `sha256:${keyDigest(token)}` : token)

/** Returns the SHA-256 of an API key in hex, under which it is stored. A key is random, so it needs no slow password hash. */
export const keyDigest = (key: string): string => createHash('sha256').update(key).digest('hex')
