import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { decodeRequest, type Request } from '@vedette/protocol/wire/request'
import { utf8 } from '../hub/src/platform/utf8.ts'
import type { SimulatedMachine } from './simulated-machine.ts'

/** Agent of one simulated machine, independent of the transport: it decodes the hub's messages and encodes its responses. */
export type SimulatedAgent = {
  readonly index: number
  readonly machine: SimulatedMachine
  /** Takes a message of the hub and returns the agent's encoded response; `undefined` for a message that is not a request. */
  readonly answer: (message: Uint8Array) => Uint8Array | undefined
}

export type AgentEvents = {
  /** Called when the simulated agent is about to send a sample, with the index of its machine and the machine's uptime in seconds. */
  readonly onDocument: (index: number, uptimeSeconds: number) => void
  /** Called when the hub has proved its identity to the simulated agent by a valid signature. */
  readonly onVerified?: () => void
  readonly nowMs: () => number
}

/** Uptime in seconds that the first simulated machine has at the start; each further machine has 1 s more. */
const UPTIME_SECONDS = 100_000

export function simulatedAgent(index: number, machine: SimulatedMachine, { onDocument, onVerified, nowMs }: AgentEvents): SimulatedAgent {
  const bornMs = nowMs() - (UPTIME_SECONDS + index) * 1000

  function replyTo(request: Request): Reply {
    switch (request.action) {
      case 'data': {
        const uptimeSeconds = Math.floor((nowMs() - bornMs) / 1000)
        const document = encodeDocument(machine.measure(uptimeSeconds, request.includeDetails ?? false))
        onDocument(index, uptimeSeconds)
        return { kind: 'document', document }
      }
      case 'fingerprint':
        onVerified?.()
        return { kind: 'identity', identity: { fingerprint: machine.fingerprint, hostname: machine.name } }
      case 'smart':
        return { kind: 'smart', devices: new Map(), complete: true }
      case 'container-logs':
      case 'container-inspect':
      case 'service-details':
      case 'diagnosis':
      case 'forget-proof':
        return { kind: 'error', message: 'not simulated' }
    }
  }

  return {
    index,
    machine,
    answer(message) {
      const item = decodeCbor(message, utf8)
      const decoded = item.ok ? decodeRequest(item.value) : undefined
      if (!decoded?.ok) return undefined
      const { id, request } = decoded.message
      return encodeCbor(encodeEnvelope(replyTo(request), id), utf8)
    },
  }
}
