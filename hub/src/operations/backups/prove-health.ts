import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { UNIX_PREFIX } from '../../platform/http/listening/listen-address.ts'

/** Error of {@link proveHealth}: the hub did not pass its health check after its start on restored data. */
export class HealthUnproved extends Error {
  override readonly name = 'HealthUnproved'
}

const ANSWERS_WITHIN_MS = 30_000

/**
 * Sends one request to the health endpoint of the hub at `address`, a URL or `unix:PATH`: `/api/health` below the path `basePath`. Rejects
 * with {@link HealthUnproved} unless the hub responds with status 200 within 30 s.
 */
export async function proveHealth(address: string, basePath = ''): Promise<void> {
  try {
    const status = await statusOf(address, `${basePath}/api/health`)
    if (status === 200) return
    throw new HealthUnproved(`Cannot use the restored backup: /api/health answers ${status}`)
  } catch (cause) {
    if (cause instanceof HealthUnproved) throw cause
    throw new HealthUnproved('Cannot use the restored backup: /api/health does not answer', { cause })
  }
}

async function statusOf(address: string, path: string): Promise<number> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS)
  const options = { path, signal, agent: false } as const
  const outgoing = address.startsWith(UNIX_PREFIX)
    ? request({ ...options, socketPath: address.slice(UNIX_PREFIX.length) })
    : address.startsWith('https:')
      ? // The server is this process. Its certificate is for its public name, not for this address.
        tlsRequest({ ...options, ...hostOf(new URL(address)), rejectUnauthorized: false })
      : request({ ...options, ...hostOf(new URL(address)) })
  const responded = once(outgoing, 'response')
  outgoing.end()
  const [response] = (await responded) as [IncomingMessage] // the arguments of the event
  response.destroy()
  return response.statusCode ?? 0
}

const hostOf = ({ hostname, port }: URL) => ({ host: hostname.replace(/^\[|\]$/g, ''), port })
