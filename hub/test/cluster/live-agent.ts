import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import type { Message } from '@vedette/protocol/wire/request'
import { framingAgent } from '../framing-agent.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

/** An agent that measures `busyPercent`, with a container. */
export function connectAgent(address: string, busyPercent: number, name = 'machine') {
  const replyTo = ({ request }: Message): Reply => {
    if (request.action === 'fingerprint') return { kind: 'identity', identity: { fingerprint: name, hostname: name } }
    if (request.action === 'container-logs') return { kind: 'text', text: `log of ${request.containerId}` }
    return { kind: 'document', document: encodeDocument({ ...machineSample, cpu: { busyPercent } }) }
  }
  const url = `${address.replace('http', 'ws')}/api/beszel/agent-connect`
  return framingAgent({ url, token: `token-of-${name}`, answer: (message) => [bytesOf(encodeEnvelope(replyTo(message), message.id))] })
}

/** The topic of a system's one-second samples. */
export const topicOf = (system: string): string => `rt_metrics?options=${encodeURIComponent(JSON.stringify({ query: { system } }))}`
