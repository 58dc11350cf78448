import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { lookupOf, connectionFailureOf } from './checked-connection.ts'
import { addressesForAdmins, UnreachableError } from './reachable-address.ts'

const STANDARD_DEADLINE_MS = 15_000
const MOST_BYTES = 1_000_000

type CheckedRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** True to skip the verification of the TLS certificate of the server to which the hub sends this request. False by default. */
  readonly acceptsAnyCertificate?: boolean
  /** Total timeout of the outgoing request, including the DNS lookup, in ms; 15,000 by default. */
  readonly deadlineMs?: number
  /** Abort signal that cancels the outgoing HTTP request. `undefined`: only the timeout ends it. */
  readonly signal?: AbortSignal | undefined
  /**
   * Function that gets a resolved IP address of the request's host and returns false to refuse it; the request then fails. Absent: only the
   * networks that are refused for everybody are refused.
   */
  readonly mayAsk?: (address: string) => boolean
}

/**
 * Sends an HTTP request to a URL that a user entered, protected against SSRF: it connects only to IP addresses that were checked, and
 * follows no redirects. The response has only the headers `content-type` and `retry-after`. Rejects with {@link UnreachableError}, whose
 * message never contains bytes of the response, also for a body over 1,000,000 bytes.
 */
export async function checkedFetch(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    acceptsAnyCertificate = false,
    deadlineMs = STANDARD_DEADLINE_MS,
    signal: within,
    mayAsk = () => true,
  }: CheckedRequest = {},
): Promise<Response> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const late = AbortSignal.timeout(deadlineMs)
  const signal = within === undefined ? late : AbortSignal.any([late, within])
  const addresses = await addressesForAdmins(host, signal)
  if (!addresses.every(mayAsk)) throw new UnreachableError(`Cannot connect to "${host}": its address is internal`)
  const options: RequestOptions & { readonly rejectUnauthorized?: boolean } = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
    signal,
    ...(acceptsAnyCertificate ? { rejectUnauthorized: false } : {}),
    lookup: lookupOf(addresses),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void =>
      reject(new UnreachableError(`Cannot ask "${host}": ${failureOf(error, deadlineMs)}`, { cause: error }))
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      answer.on('error', fail)
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > MOST_BYTES) request.destroy(new Error(TOO_MUCH))
      })
      answer.on('end', () => {
        const kept = ['content-type', 'retry-after'] as const
        const { statusCode = 500 } = answer
        const empty = statusCode === 204 || statusCode === 304
        resolve(
          new Response(empty ? null : Buffer.concat(chunks), {
            status: statusCode,
            headers: kept.flatMap((name) => {
              const value = answer.headers[name]
              return value === undefined ? [] : [[name, value] as const]
            }),
          }),
        )
      })
    })
    request.on('error', fail)
    request.end(body)
  })
}

const TOO_MUCH = 'it answers too much'

const failureOf = (error: unknown, deadlineMs: number): string =>
  error instanceof Error && error.message === TOO_MUCH ? error.message : connectionFailureOf(error, deadlineMs)
