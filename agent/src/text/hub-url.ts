import { ownValue } from '@vedette/protocol/own-value'
/** Path of a hub's WebSocket endpoint for agents, `/api/beszel/agent-connect`, below the hub's base URL. */
const AGENT_PATH = '/api/beszel/agent-connect'

const schemes: Readonly<Record<string, string>> = { http: 'ws', https: 'wss', ws: 'ws', wss: 'wss' }

/**
 * Converts a hub's base URL, such as `https://hub.example.com`, into its WebSocket URL for agents (`wss://…`). `undefined` without a known
 * scheme and a host.
 */
export function agentSocketUrl(hubUrl: string): string | undefined {
  const [, scheme = '', host = '', path = ''] = /^([a-z]+):\/\/([^/?#\s]+)([^?#\s]*)$/i.exec(hubUrl.trim()) ?? []
  const socketScheme = ownValue(schemes, scheme.toLowerCase())
  const hasHost = host.replace(/^.*@/, '').replace(/:\d*$/, '') !== ''
  return socketScheme === undefined || !hasHost ? undefined : `${socketScheme}://${host}${path.replace(/\/+$/, '')}${AGENT_PATH}`
}
