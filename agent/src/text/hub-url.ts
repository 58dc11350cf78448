import { ownValue } from '@vedette/protocol/own-value'
/** Where a hub takes agents' WebSockets, below whatever path it is published at. */
const AGENT_PATH = '/api/beszel/agent-connect'

const schemes: Readonly<Record<string, string>> = { http: 'ws', https: 'wss', ws: 'ws', wss: 'wss' }

/** The WebSocket address of a hub's base URL; `undefined` unless that has a known scheme and a host. */
export function agentSocketUrl(hubUrl: string): string | undefined {
  const [, scheme = '', host = '', path = ''] = /^([a-z]+):\/\/([^/?#\s]+)([^?#\s]*)$/i.exec(hubUrl.trim()) ?? []
  const socketScheme = ownValue(schemes, scheme.toLowerCase())
  const hasHost = host.replace(/^.*@/, '').replace(/:\d*$/, '') !== ''
  return socketScheme === undefined || !hasHost ? undefined : `${socketScheme}://${host}${path.replace(/\/+$/, '')}${AGENT_PATH}`
}
