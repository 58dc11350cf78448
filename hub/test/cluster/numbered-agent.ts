import { setTimeout as wait } from 'node:timers/promises'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { WebSocket } from 'ws'
import { AGENT_CONNECT_PATH } from '../../src/fleet/fleet.ts'
import { bytesOf, documentReply, machineSample, readMessage } from '../scripted-agent.ts'

/** Connect timeout of an agent, which then tries the next hub. */
const CONNECT_MS = 2000
/** Longest delay between two connection attempts. It is random, so that the agents do not all connect at once. */
const DIAL_AGAIN_MS = 1000
/** An agent serves one measurement for this long, also to another hub. */
const SERVED_FOR_MS = 30_000
const BUSY = 95
const IDLE = 5

/** A hub that agents dial. Its address changes when it starts again; `undefined` while it does not run. */
export type DialledHub = { readonly name: string; readonly address: () => string | undefined }

/** A response with a sample. `takenAtMs` distinguishes the samples of an agent. */
export type Answer = { readonly takenAtMs: number; readonly sentAtMs: number; readonly hub: string }

export type NumberedAgent = {
  readonly name: string
  readonly answers: readonly Answer[]
  /** Measurements by their time. */
  readonly measured: ReadonlyMap<number, { readonly number: number; readonly isBusy: boolean }>
  /** Name of the hub to which it is connected. */
  readonly connectedTo: () => string | undefined
  /** Closes its connection and dials again. */
  readonly redial: () => void
  readonly stop: () => void
}

type AgentParts = { readonly name: string; readonly token: string; readonly hubs: readonly DialledHub[]; readonly first: number }

/**
 * An agent that dials hubs in turn, as a load balancer makes it. Each measurement has its number as its load. The processor is busy in every
 * third one, the second first, and idle in the others.
 */
export function numberedAgent({ name, token, hubs, first }: AgentParts): NumberedAgent {
  const answers: Answer[] = []
  const measured = new Map<number, { readonly number: number; readonly isBusy: boolean }>()
  let takenAtMs = 0
  let socket: WebSocket | undefined
  let connectedTo: string | undefined
  let isStopped = false

  function measurement() {
    if (Date.now() - takenAtMs >= SERVED_FOR_MS) {
      takenAtMs = Date.now()
      measured.set(takenAtMs, { number: measured.size + 1, isBusy: measured.size % 3 === 1 })
    }
    const { number = 0, isBusy = false } = measured.get(takenAtMs) ?? {}
    return {
      ...machineSample,
      takenAtMs,
      load: { oneMinute: number, fiveMinutes: 0, fifteenMinutes: 0 },
      cpu: { busyPercent: isBusy ? BUSY : IDLE },
    }
  }

  async function dialForEver(): Promise<void> {
    for (let turn = first; !isStopped; turn++) {
      const hub = hubs[turn % hubs.length]
      const address = hub?.address()
      if (hub !== undefined && address !== undefined) await connection(hub.name, address)
      await wait(Math.random() * DIAL_AGAIN_MS)
    }
  }

  function connection(hub: string, address: string): Promise<void> {
    const headers = { 'X-Token': token, 'X-Beszel': '0.18.8' }
    const url = `${address.replace('http', 'ws')}${AGENT_CONNECT_PATH}`
    const current = new WebSocket(url, { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS })
    socket = current
    current.on('error', () => {})
    current.on('message', (data: Buffer) => {
      const { id, request } = readMessage(data)
      if (request.action === 'fingerprint') {
        connectedTo = hub
        current.send(bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: `fingerprint of ${name}`, hostname: name } }, id)))
      } else if (request.action === 'data') {
        const sample = measurement()
        current.send(bytesOf(encodeEnvelope(documentReply(sample), id)))
        answers.push({ takenAtMs: sample.takenAtMs, sentAtMs: Date.now(), hub })
      } else current.send(bytesOf(encodeEnvelope({ kind: 'error', message: 'not supported' }, id)))
    })
    return new Promise((resolve) => {
      current.on('close', () => {
        connectedTo = undefined
        resolve()
      })
    })
  }

  void dialForEver()
  return {
    name,
    answers,
    measured,
    connectedTo: () => connectedTo,
    redial: () => socket?.terminate(),
    stop() {
      isStopped = true
      socket?.terminate()
    },
  }
}
