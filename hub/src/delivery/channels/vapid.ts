import { createECDH, createPrivateKey, sign } from 'node:crypto'
import type { WebPushKey } from './channel.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

const CURVE = 'prime256v1'
const TOKEN_LIFE_S = 12 * 3600

/**
 * Derives the VAPID key of the hub (RFC 8292), which signs Web Push requests, by `derive` from the hub's secret key. The result is the same
 * at each start, and is not stored. `contact` is the URL that push services get.
 */
export function webPushKeyOf(derive: (purpose: string) => Buffer, contact: string): WebPushKey {
  for (let round = 0; ; round += 1) {
    const privateKey = derive(`web push ${round}`)
    // About one of 2^32 derived keys is outside of the curve's order.
    if (publicKeyOf(privateKey) !== undefined) return { privateKey, contact }
  }
}

function publicKeyOf(privateKey: Buffer): Buffer | undefined {
  const pair = createECDH(CURVE)
  try {
    pair.setPrivateKey(privateKey)
    return pair.getPublicKey()
  } catch {
    return undefined
  }
}

/**
 * Returns the hub's public VAPID key in base64url, with which a browser subscribes to Web Push. Empty text if no public key belongs to the
 * private key.
 */
export const applicationServerKey = ({ privateKey }: WebPushKey): string =>
  (publicKeyOf(privateKey) ?? Buffer.alloc(0)).toString('base64url')

/** Returns the value of the `Authorization` header of a request to a push service (RFC 8292, 3). Its token is valid for 12 h. */
export function vapidAuthorization(key: WebPushKey, endpoint: URL, nowMs: number): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: endpoint.origin, exp: Math.floor(nowMs / 1000) + TOKEN_LIFE_S, sub: key.contact }
  const signed = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const publicKey = applicationServerKey(key)
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: key.privateKey.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const signature = sign('sha256', Buffer.from(signed), { key: createPrivateKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}

/**
 * Contact URL in the tokens for push services (RFC 8292 2.1): the project page of Vedette, where operators of push services find its
 * makers.
 */
const CONTACT = 'https://github.com/vedette-monitor/vedette'

/** Returns the VAPID key with which this hub signs its Web Push requests, derived from the hub's secret key. */
export const hubPushKey = ({ derive }: Pick<SecretBox, 'derive'>): WebPushKey => webPushKeyOf(derive, CONTACT)
