import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { isNonce, NONCE_HEADER } from '@vedette/protocol/wire/hub-proof'
import { parseVersion } from '@vedette/protocol/wire/version'
import { ipAddress } from '../../platform/network/ip-address.ts'
import type { Caller, Enrolment } from './enroll.ts'

const MAX_TOKEN_BYTES = 64

/** An agent that may open its WebSocket: what it announced, and what its token opens. */
export type Knock = {
  readonly announced: string
  readonly caller: Caller
  /** The bytes that the hub's proof must cover; undefined from agents that know no such proof. */
  readonly nonce: string | undefined
}

/** Why it may not, as it is told. */
export type Refusal = { readonly status: 400 | 401; readonly body: string }

export type Admission = (headers: IncomingHttpHeaders, remoteAddress: string) => Promise<Knock | Refusal>

/** Checks what an agent shows, in the order that agents know: what is missing, the token, the version, the handshake. */
export function admission({ admit }: Pick<Enrolment, 'admit'>): Admission {
  return async (headers, remoteAddress) => {
    const token = header(headers, 'x-token')
    const announced = header(headers, 'x-beszel')
    if (token === '' || announced === '' || Buffer.byteLength(token) > MAX_TOKEN_BYTES) return { status: 400, body: '' }
    const opens = await admit(token)
    if (opens === undefined) return { status: 401, body: INVALID_TOKEN }
    if (parseVersion(announced) === undefined) return { status: 401, body: 'Invalid agent version' }
    const handshake = refusedHandshake(headers)
    const nonce = header(headers, NONCE_HEADER.toLowerCase())
    return (
      handshake ?? {
        announced,
        nonce: isNonce(nonce) ? nonce : undefined,
        caller: { token, admission: opens, remoteAddress: ipAddress(remoteAddress) ?? remoteAddress },
      }
    )
  }
}

export const INVALID_TOKEN = 'Invalid token'

/** RFC 6455 §4.2.1, in the words that agents know. */
function refusedHandshake(headers: IncomingHttpHeaders): Refusal | undefined {
  if (header(headers, 'sec-websocket-version') !== '13') return { status: 400, body: 'gws: websocket version not supported' }
  const asks = header(headers, 'upgrade').toLowerCase() === 'websocket' && /\bupgrade\b/i.test(header(headers, 'connection'))
  if (!asks) return { status: 400, body: 'gws: handshake error' }
  if (header(headers, 'sec-websocket-key') === '') return { status: 400, body: 'gws: handshake error' }
  return undefined
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = ownValue(headers, name)
  return typeof value === 'string' ? value.trim() : ''
}
