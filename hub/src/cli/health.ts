import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isUnixSocket, listenAddressText, type ListenAddress } from '../platform/http/listening/listen-address.ts'
import { listenAddressOf, listenOptions, tlsFilesOf } from '../startup/options/listen-options.ts'
import { parseOptions } from '../startup/options/options.ts'
import { basePathOf } from '../startup/proved-start.ts'
import type { Terminal } from './command.ts'

/**
 * Timeout, in ms (5 s), of the request with which the command `vedette health` checks a hub. Without a response by then, the hub counts as
 * not healthy.
 */
const WITHIN_MS = 5000

const UNHEALTHY = 1
const MISUSED = 2

/**
 * Checks the hub that listens at the address of the options, with a request to `/api/health`. Prints `ok` or one sentence, and resolves
 * with the exit status: 0 healthy, 1 not healthy, 2 wrong usage.
 */
export async function checkHealth(args: readonly string[], { environment, say, complain }: Terminal): Promise<number> {
  const parsed = parseOptions(listenOptions, args, environment)
  const problems = parsed.ok ? parsed.rest.map((word) => `${word}: there is no such argument`) : parsed.problems
  for (const problem of problems) complain(problem)
  if (!parsed.ok || problems.length > 0) return MISUSED
  const address = listenAddressOf(parsed.values)
  const isHttps = tlsFilesOf(parsed.values) !== undefined
  const result = await statusOf(address, { isHttps, path: `${basePathOf(parsed.values.appUrl)}/api/health` })
  if (result === 200) say('ok')
  else complain(`The hub at ${listenAddressText(address)} is not healthy: ${result}`)
  return result === 200 ? 0 : UNHEALTHY
}

/** Sends a GET request for a path to the hub at a listen address. Resolves to the HTTP status (number), or to the message of the error. */
function statusOf(
  address: ListenAddress,
  { isHttps, path }: { readonly isHttps: boolean; readonly path: string },
): Promise<number | string> {
  const to = isUnixSocket(address) ? { socketPath: address.path } : { host: reachable(address.host), port: address.port }
  const signal = AbortSignal.timeout(WITHIN_MS)
  // The certificate is for the hub's public name, not for this address of the same machine.
  const options = { ...to, path, agent: false, signal, rejectUnauthorized: false }
  return new Promise((resolve) => {
    const request = isHttps ? requestHttps(options) : requestHttp(options)
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', ({ message }) => resolve(signal.aborted ? `it did not respond within ${WITHIN_MS / 1000} s` : message))
    request.end()
  })
}

/** Converts a listen host to one that can be connected to: `127.0.0.1` for `0.0.0.0`, `::1` for `::`, any other host unchanged. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
