import type { IncomingHttpHeaders } from 'node:http'
import { ownValue } from '@vedette/protocol/own-value'
import { isNonce, NONCE_HEADER } from '@vedette/protocol/wire/hub-proof'
import { parseVersion } from '@vedette/protocol/wire/version'
import { ipAddress } from '../../platform/network/ip-address.ts'
import type { EnrollingAgent, Enrolment } from './enroll.ts'

const MAX_TOKEN_BYTES = 64

/**
 * WebSocket request of an agent that passed all checks before the upgrade. `announced`: the agent's version. `caller`: its token, its
 * remote address and what the token allows.
 */
export type ConnectionRequest = {
  readonly announced: string
  readonly caller: EnrollingAgent
  /**
   * Random text (nonce) from an HTTP header of the agent's request. The hub signs it to prove its identity. `undefined` for agents that do
   * not send one.
   */
  readonly nonce: string | undefined
}

/** HTTP error response (status and text) to an agent whose WebSocket upgrade the hub refuses. The connection is then closed. */
export type RefusedUpgrade = { readonly status: 400 | 401; readonly body: string }

export type AgentAdmission = (headers: IncomingHttpHeaders, remoteAddress: string) => Promise<ConnectionRequest | RefusedUpgrade>

/**
 * Creates the function that checks an agent's HTTP request before the WebSocket upgrade: token, version header and handshake headers. That
 * function gets headers and remote address. It resolves to the accepted {@link ConnectionRequest} or the error response.
 */
export function admission({ admit }: Pick<Enrolment, 'admit'>): AgentAdmission {
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

/**
 * Checks the WebSocket handshake headers (RFC 6455 §4.2.1) of an agent's request. Returns the error response, or `undefined` when the
 * handshake is valid. Agents rely on the error texts.
 */
function refusedHandshake(headers: IncomingHttpHeaders): RefusedUpgrade | undefined {
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
