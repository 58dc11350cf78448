import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { dialDelayMs } from '../agent/src/link/reconnect.ts'
import type { Dialling } from './fleet-report.ts'
import type { SimulatedAgent } from './simulated-agent.ts'

/** Timeout in ms of a simulated agent's connection attempt, the same as that of Vedette's agents: 5 s. */
const CONNECT_DEADLINE_MS = 5000
const PROOF_DEADLINE_MS = 15_000

const ANNOUNCED = '0.18.8'

/** Interval in ms between two connection attempts of simulated agents that reconnect `in step`: 10 s. */
const STEP_MS = 10_000

/** Error message of the WebSocket library `ws` for a connection attempt that timed out, `Opening handshake has timed out`. */
export const GIVEN_UP = 'Opening handshake has timed out'

export type WebSocketFleetParts = {
  readonly url: string
  readonly dialling: Dialling
  readonly tokenOf: (index: number) => string
  readonly onProblem: (problem: string) => void
  readonly nowMs: () => number
}

export type Fleet = {
  /**
   * Starts one simulated agent, which `makeAgent` creates. Over SSH, resolves when it listens. Over WebSocket, it reconnects until the
   * process ends, and the promise never resolves.
   */
  readonly start: (makeAgent: (onVerified: () => void) => SimulatedAgent) => Promise<void>
  readonly connected: () => number
}

/** Creates simulated agents that connect to the hub by WebSocket. When they lose the connection, they reconnect as `dialling` says. */
export function webSocketFleet({ url, dialling, tokenOf, onProblem, nowMs }: WebSocketFleetParts): Fleet {
  const verified = new Set<SimulatedAgent>()

  /**
   * Opens one WebSocket connection of a simulated agent and waits for its end. Resolves with the close code, and `lost` if the hub had
   * proved its identity, else `failed`.
   */
  function connectOnce(agent: SimulatedAgent, proved: Promise<void>): Promise<{ ended: 'failed' | 'lost'; code: number }> {
    const socket = new WebSocket(url, {
      headers: { 'X-Token': tokenOf(agent.index), 'X-Beszel': ANNOUNCED },
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_DEADLINE_MS,
    })
    let ended: 'failed' | 'lost' = 'failed'
    const impatient = setTimeout(() => {
      onProblem('the hub did not prove itself in time')
      socket.close(1000)
    }, PROOF_DEADLINE_MS)
    void proved.then(() => {
      clearTimeout(impatient)
      ended = 'lost'
      verified.add(agent)
    })
    socket.on('message', (message: Buffer) => {
      const answer = agent.answer(message)
      if (answer === undefined) onProblem('the hub sent something that is no request')
      else socket.send(answer)
    })
    socket.on('error', (error) => onProblem('code' in error ? String(error.code) : error.message))
    return new Promise((resolve) => {
      socket.on('close', (code) => {
        clearTimeout(impatient)
        verified.delete(agent)
        if (ended === 'lost') onProblem(`connection lost (${code})`)
        resolve({ ended, code })
      })
    })
  }

  return {
    connected: () => verified.size,
    async start(makeAgent) {
      let prove = (): void => {}
      const agent = makeAgent(() => prove())
      let lostAtMs: number | undefined
      for (let failures = 0; ;) {
        const lastAttemptAtMs = nowMs()
        const { promise: proved, resolve } = Promise.withResolvers<void>()
        prove = resolve
        const { ended, code } = await connectOnce(agent, proved)
        failures = ended === 'lost' ? 0 : failures + 1
        const endedAtMs = nowMs()
        if (ended === 'lost') lostAtMs = endedAtMs
        const isHubStopping = ended === 'lost' && code === 1001
        const times = { lastAttemptAtMs, endedAtMs, lostAtMs, sshUsedAtMs: undefined }
        const state = { ...times, ended, isHubStopping, failures, hubs: 1, dice: Math.random() }
        const inStepMs = ended === 'lost' ? 0 : Math.max(0, lastAttemptAtMs + STEP_MS - nowMs())
        await wait(dialling === 'in step' ? inStepMs : dialDelayMs(state, nowMs()))
      }
    },
  }
}
