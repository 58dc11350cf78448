import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseVersion, isAtLeast } from '@vedette/protocol/wire/version'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Log } from '../log.ts'
import type { AgentSession } from './agent-session.ts'
import { agentSocket, identify, webSocketSession } from './agent-websocket.ts'
import type { Caller, Enrolment } from './enroll.ts'
import { MAX_REPLY_BYTES } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import type { HubKey } from './hub-key.ts'

const MAX_TOKEN_LENGTH = 64

type ConnectParts = {
  readonly key: HubKey
  readonly enrolment: Enrolment
  readonly log: Log
  /** Takes an authenticated session over. */
  readonly onSession: (system: string, session: AgentSession) => void
  /** An agent that belongs to a system was turned away. */
  readonly onRefused: (system: string, reason: string) => void
  /** Somebody whose token opens nothing was turned away. */
  readonly onStranger: (remoteAddress: string) => void
}

type Knock = { readonly announced: string; readonly caller: Caller }

/** Answers agents that dial: who may upgrade, and after the upgrade, which system they are. */
export function agentConnect({ key, enrolment, log, onSession, onRefused, onStranger }: ConnectParts) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_REPLY_BYTES, perMessageDeflate: false })

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const knock = await check(request)
    if ('status' in knock) {
      if (knock.status === 401) log.warn('agent refused', { reason: knock.body, remoteAddress: request.socket.remoteAddress })
      refuse(socket, knock.status, knock.body)
      return
    }
    server.handleUpgrade(request, socket, head, (webSocket) => void meet(webSocket, knock))
  }

  /** In the order that agents know: what is missing, the token, the version. */
  async function check(request: IncomingMessage): Promise<Knock | { readonly status: number; readonly body: string }> {
    const token = header(request, 'x-token')
    const announced = header(request, 'x-beszel')
    if (token === '' || announced === '' || token.length > MAX_TOKEN_LENGTH) return { status: 400, body: '' }
    const admission = await enrolment.admit(token)
    const remoteAddress = withoutMapping(request.socket.remoteAddress ?? '')
    if (admission === undefined) {
      onStranger(remoteAddress)
      return { status: 401, body: 'Invalid token' }
    }
    const version = parseVersion(announced)
    if (version === undefined) return { status: 401, body: 'Invalid agent version' }
    if (!isAtLeast(version, [0, 13, 0])) return { status: 401, body: 'Agent version 0.13.0 or later is needed' }
    return { announced, caller: { token, admission, remoteAddress } }
  }

  async function meet(webSocket: WebSocket, { announced, caller }: Knock): Promise<void> {
    const socket = agentSocket(webSocket)
    try {
      const identity = await identify(socket, key.sign(caller.token), caller.admission.kind === 'enrolling')
      const resolution = await enrolment.resolve(caller, identity)
      if (resolution.ok) {
        onSession(resolution.system, webSocketSession(socket, announced, log))
        return
      }
      log.warn('agent refused', { reason: resolution.reason, system: resolution.system, remoteAddress: caller.remoteAddress })
      socket.close(resolution.reason)
      if (resolution.system !== undefined) onRefused(resolution.system, resolution.reason)
    } catch (error) {
      const reason = error instanceof AgentUnavailable ? error.message : 'internal error'
      log.warn('agent did not authenticate', { reason, remoteAddress: caller.remoteAddress, error })
      socket.close(reason)
    }
  }

  return {
    onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      onUpgrade(request, socket, head).catch((error: unknown) => {
        log.error('agent upgrade failed', { error })
        refuse(socket, 500, '')
      })
    },
    close: (): void => {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value.trim() : ''
}

const reasonPhrases: Readonly<Record<number, string>> = { 400: 'Bad Request', 401: 'Unauthorized', 500: 'Internal Server Error' }

function refuse(socket: Duplex, status: number, body: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** `::ffff:10.0.0.1` is how a dual-stack socket spells 10.0.0.1. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
