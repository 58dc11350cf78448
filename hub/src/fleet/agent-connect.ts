import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Log } from '../log.ts'
import { admission, INVALID_TOKEN, withoutMapping, type Knock, type Refusal } from './agent-admission.ts'
import type { AgentSession, Farewell } from './agent-session.ts'
import { agentSocket } from './agent-socket.ts'
import { identify, webSocketSession } from './agent-websocket.ts'
import type { Deadlines } from './deadlines.ts'
import type { Enrolment } from './enroll.ts'
import { MAX_REPLY_BYTES } from './exchange.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import { generationOf } from './generation.ts'
import type { HubKey } from './hub-key.ts'

/** How long agents have to answer a farewell before their connections are cut. */
const FAREWELL_MS = 1000

type ConnectParts = {
  readonly key: HubKey
  readonly enrolment: Enrolment
  readonly log: Log
  readonly deadlines: Deadlines
  /** Takes an authenticated session over. */
  readonly onSession: (system: string, session: AgentSession) => void
  /** An agent that belongs to a system was turned away. */
  readonly onRefused: (system: string, reason: string) => void
  /** Somebody whose token opens nothing was turned away. */
  readonly onStranger: (remoteAddress: string) => void
}

/** Answers agents that dial: who may upgrade, and after the upgrade, which system they are. */
export function agentConnect({ key, enrolment, log, deadlines, onSession, onRefused, onStranger }: ConnectParts) {
  // A subprotocol that is offered is not chosen, as agents expect.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_REPLY_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => false,
  })
  const admit = admission(enrolment)
  let closing: Farewell | undefined

  async function judge(headers: IncomingHttpHeaders, remoteAddress: string): Promise<Knock | Refusal> {
    const knock = await admit(headers, remoteAddress)
    if ('status' in knock && knock.status === 401) {
      log.warn('agent refused', { reason: knock.body, remoteAddress })
      if (knock.body === INVALID_TOKEN) onStranger(withoutMapping(remoteAddress))
    }
    return knock
  }

  async function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, remoteAddress: string): Promise<void> {
    const knock = await judge(request.headers, remoteAddress)
    // Who lost patience meanwhile has gone.
    if (socket.destroyed) return
    if (closing !== undefined) refuse(socket, 503, closing.reason)
    else if ('status' in knock) refuse(socket, knock.status, knock.body)
    else server.handleUpgrade(request, socket, head, (webSocket) => void meet(webSocket, knock))
  }

  async function meet(webSocket: WebSocket, { announced, caller }: Knock): Promise<void> {
    const socket = agentSocket(webSocket, generationOf(announced))
    try {
      const proof = { signature: key.sign(caller.token), needSystemInfo: caller.admission.kind === 'enrolling' }
      const identity = await identify(socket, proof, deadlines.repliesMs.fingerprint)
      const resolution = await enrolment.resolve(caller, identity)
      if (resolution.ok) {
        onSession(resolution.system, webSocketSession(socket, { agentVersion: announced, peer: caller.remoteAddress }, deadlines))
        return
      }
      log.warn('agent refused', { reason: resolution.reason, system: resolution.system, remoteAddress: caller.remoteAddress })
      socket.close({ code: 1000, reason: resolution.reason })
      if (resolution.system !== undefined) onRefused(resolution.system, resolution.reason)
    } catch (error) {
      const reason = error instanceof AgentUnavailable ? error.message : 'internal error'
      if (closing === undefined) log.warn('agent did not authenticate', { reason, remoteAddress: caller.remoteAddress, error })
      socket.close({ code: 1000, reason })
    }
  }

  return {
    onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, remoteAddress: string): void => {
      onUpgrade(request, socket, head, remoteAddress).catch((error: unknown) => {
        log.error('agent upgrade failed', { error })
        refuse(socket, 500, '')
      })
    },

    /** What an agent is told that asks without upgrading. */
    refusal: async (headers: IncomingHttpHeaders, remoteAddress: string): Promise<Refusal> => {
      const knock = await judge(headers, remoteAddress)
      return 'status' in knock ? knock : { status: 400, body: 'gws: handshake error' }
    },

    /** Says farewell to every agent, known or not yet, and cuts what does not answer it. */
    async close(farewell: Farewell): Promise<void> {
      closing = farewell
      const clients = [...server.clients]
      const closed = Promise.all(clients.map((client) => new Promise<void>((resolve) => client.once('close', () => resolve()))))
      for (const client of clients) client.close(farewell.code, farewell.reason)
      const impatient = setTimeout(() => clients.forEach((client) => client.terminate()), FAREWELL_MS)
      await closed
      clearTimeout(impatient)
      server.close()
    },
  }
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

function refuse(socket: Duplex, status: number, body: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
