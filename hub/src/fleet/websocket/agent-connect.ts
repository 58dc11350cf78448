import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Clock } from '../../platform/clock.ts'
import type { ConnectionSlot } from '../../platform/limits/connection-limits.ts'
import { databaseFailure } from '../../platform/db/database-failures.ts'
import { ipAddress, networkOf } from '../../platform/network/ip-address.ts'
import { onceAMinute } from '../../platform/limits/once-a-minute.ts'
import type { Log, LogFields } from '../../platform/log.ts'
import { admission, INVALID_TOKEN, type ConnectionRequest, type RefusedUpgrade } from '../enrolment/agent-admission.ts'
import type { AgentSession, CloseReason } from '../session/agent-session.ts'
import { agentSocket, identify, proofOf, webSocketSession } from './agent-websocket.ts'
import type { Deadlines } from '../session/deadlines.ts'
import type { Enrolment } from '../enrolment/enroll.ts'
import { MAX_REPLY_BYTES, replyModeOf } from '../session/exchange.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { HubKey } from '../ssh/hub-key.ts'

/**
 * Time in ms (1 s) in which agents must answer the hub's WebSocket close frame. After it, the hub destroys the TCP connections that are
 * still open.
 */
const CLOSE_TIMEOUT_MS = 1000

/**
 * HTTP request of an agent for a WebSocket upgrade, with its socket and remote address. `slot` is the connection's handle in the limits of
 * open connections: after a valid token, the connection counts for that token.
 */
export type AgentUpgrade = {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly remoteAddress: string
  readonly slot?: Pick<ConnectionSlot, 'prove' | 'checkProof'>
}

type ConnectParts = {
  readonly key: HubKey
  readonly enrolment: Enrolment
  readonly log: Log
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly limits: AgentLimits
  /**
   * Adds a function to a queue, which calls it soon. The function sends the first request on an agent's new connection; the queue limits
   * how many start at once, so that further agents can connect.
   */
  readonly inTurn: (work: () => void) => void
  /** Called when an agent has connected and proved that it belongs to a system, with the system's id and the agent's session. */
  readonly onSession: (system: string, session: AgentSession) => Promise<void>
  /** Called when an agent was refused whose token belongs to a system, with the system's id and the reason. */
  readonly onRefused: (system: string, reason: string) => void
  /** Called with the remote address when an agent with an invalid token was refused, at most once a minute per network. */
  readonly onStranger: (remoteAddress: string) => void
  /**
   * Called when an agent could not be accepted because the hub's database did not respond. The agent's system must not count as down for
   * that.
   */
  readonly onDatabaseAway: () => void
}

/**
 * Creates the handler for agents that connect by WebSocket. `onUpgrade` checks an agent's HTTP headers and token, finds the agent's system,
 * and calls `onSession`. `refusal` returns the error for other requests, `close` ends all connections.
 */
export function agentConnect(parts: ConnectParts) {
  const { key, enrolment, log, clock, deadlines, limits, inTurn, onSession, onRefused, onStranger, onDatabaseAway } = parts
  // The server chooses none of the offered subprotocols, as agents expect.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_REPLY_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => false,
  })
  const admit = admission(enrolment)
  const mayLog = onceAMinute(clock)
  /**
   * Logs a warning about a refused or failed agent and returns true. If a warning about the same remote network was logged within the last
   * minute, it logs nothing and returns false.
   */
  const warn = (message: string, fields: LogFields & { readonly remoteAddress: string }): boolean => {
    const isLogged = mayLog(networkOf(fields.remoteAddress))
    if (isLogged) log.warn(message, fields)
    return isLogged
  }
  let closing: CloseReason | undefined

  async function judge(headers: IncomingHttpHeaders, remoteAddress: string): Promise<ConnectionRequest | RefusedUpgrade> {
    const knock = await admit(headers, remoteAddress)
    if ('status' in knock && knock.status === 401) {
      const isLogged = warn('agent refused', { reason: knock.body, remoteAddress })
      if (isLogged && knock.body === INVALID_TOKEN) onStranger(ipAddress(remoteAddress) ?? remoteAddress)
    }
    return knock
  }

  async function onUpgrade({ request, socket, head, remoteAddress, slot }: AgentUpgrade): Promise<void> {
    slot?.checkProof(true)
    const knock = await judge(request.headers, remoteAddress).finally(() => slot?.checkProof(false))
    if (!('status' in knock)) proveToken(knock, slot)
    // The agent may have given up in the meantime.
    if (socket.destroyed) return
    if (closing !== undefined) refuse(socket, 503, closing.reason)
    else if ('status' in knock) refuse(socket, knock.status, knock.body)
    else server.handleUpgrade(request, socket, head, (webSocket) => inTurn(() => void meet(webSocket, knock, slot)))
  }

  function proveToken({ caller: { token, admission: opens } }: ConnectionRequest, slot: AgentUpgrade['slot']): void {
    const isOfOneSystem = opens.kind === 'known' && opens.only !== undefined
    slot?.prove(`token ${token}`, isOfOneSystem ? limits.perToken : limits.perSharedToken)
  }

  async function meet(webSocket: WebSocket, { announced, caller, nonce }: ConnectionRequest, slot: AgentUpgrade['slot']): Promise<void> {
    // The agent gave up while it was queued.
    if (webSocket.readyState !== webSocket.OPEN) return
    const socket = agentSocket(webSocket, replyModeOf(announced))
    try {
      const proof = { ...proofOf(key, caller.token, nonce), needSystemInfo: caller.admission.kind === 'enrolling' }
      const identity = await identify(socket, proof, deadlines.repliesMs.fingerprint)
      const resolution = await enrolment.resolve(caller, identity)
      if (resolution.ok) {
        slot?.prove(`system ${resolution.system}`, limits.perSystem)
        await onSession(resolution.system, webSocketSession(socket, { agentVersion: announced, peer: caller.remoteAddress }, deadlines))
        return
      }
      warn('agent refused', { reason: resolution.reason, system: resolution.system, remoteAddress: caller.remoteAddress })
      socket.close({ code: 1000, reason: resolution.reason })
      if (resolution.system !== undefined) onRefused(resolution.system, resolution.reason)
    } catch (error) {
      if (databaseFailure(error) === 'away') onDatabaseAway()
      const reason = error instanceof AgentUnavailable ? error.message : 'internal error'
      if (closing === undefined) warn('agent did not authenticate', { reason, remoteAddress: caller.remoteAddress, error })
      socket.close({ code: 1000, reason })
    }
  }

  return {
    onUpgrade: (upgrade: AgentUpgrade): void => {
      onUpgrade(upgrade).catch((error: unknown) => {
        const isAway = databaseFailure(error) === 'away'
        if (isAway) onDatabaseAway()
        // All agents connect again at once when the database is away: one line says it for all.
        if (!isAway || mayLog('database')) log.error('agent upgrade failed', { error })
        refuse(upgrade.socket, 500, '')
      })
    },

    /** Resolves to the error response for an agent's HTTP request to the WebSocket's URL path that is not a WebSocket upgrade. */
    refusal: async (headers: IncomingHttpHeaders, remoteAddress: string): Promise<RefusedUpgrade> => {
      const knock = await judge(headers, remoteAddress)
      return 'status' in knock ? knock : { status: 400, body: 'gws: handshake error' }
    },

    /**
     * Sends a WebSocket close frame with the code and reason `farewell` to every agent. Destroys the connections of agents that do not
     * answer it within 1 s.
     */
    async close(farewell: CloseReason): Promise<void> {
      closing = farewell
      const clients = [...server.clients]
      const closed = Promise.all(clients.map((client) => new Promise<void>((resolve) => client.once('close', () => resolve()))))
      for (const client of clients) client.close(farewell.code, farewell.reason)
      const impatient = setTimeout(() => clients.forEach((client) => client.terminate()), CLOSE_TIMEOUT_MS)
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
  // Destroys the socket even if the peer never closes its side.
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/**
 * Maximum numbers of WebSocket connections of agents per token and per system. A connection beyond a limit closes the oldest one of the
 * same token or system.
 */
export type AgentLimits = {
  /**
   * Maximum number of connections with the same token of a single system whose agents have not sent their fingerprint yet. One more closes
   * the oldest. After the fingerprint, a connection counts for its system (`perSystem`).
   */
  readonly perToken: number
  /**
   * Maximum number of connections with the same token of several systems, or for enrolment, whose agents have not sent their fingerprint
   * yet. One more closes the oldest. After the fingerprint, a connection counts for its system (`perSystem`).
   */
  readonly perSharedToken: number
  /**
   * Maximum number of WebSocket connections of agents per system, including older ones that are still closing. One more closes the system's
   * oldest.
   */
  readonly perSystem: number
}

export const standardAgentLimits: AgentLimits = { perToken: 8, perSharedToken: 16_384, perSystem: 4 }
