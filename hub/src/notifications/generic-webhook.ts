import { checkedFetch } from '../outgoing/checked-fetch.ts'
import { isInternal } from '../outgoing/internal-address.ts'
import { UnreachableError } from '../outgoing/reachable-address.ts'

/** What somebody is told. */
export type Notice = { readonly title: string; readonly message: string }

/** A request as an address in the notation of existing settings describes it. */
export type WebhookRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Why a notice was not taken, in one sentence. */
export class NotificationFailed extends Error {
  override readonly name = 'NotificationFailed'
}

/** Who is no admin named an address that is internal, or a name of one. */
export class InternalDestination extends Error {
  override readonly name = 'InternalDestination'
}

/** What the address says about the request; everything else of its query goes to the peer. */
const ours = new Set(['disabletls', 'contenttype', 'method', 'requestmethod', 'template', 'titlekey', 'messagekey'])
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Reads `generic://HOST/PATH?…`: `disabletls=yes` for http, `template=json` for a JSON body with `titlekey` and `messagekey`, `@Name=`
 * for headers, `$name=` for further keys of that body. Without a template the body is the text. Throws {@link NotificationFailed}.
 */
export function webhookRequest(address: string, { title, message }: Notice): WebhookRequest {
  const given = new URL(address.replace(/^generic\+(https?):/i, '$1:').replace(/^generic:/i, 'https:'))
  const option = (name: string, standard: string): string => given.searchParams.get(name) ?? standard
  if (/^(?:yes|true|1)$/i.test(option('disabletls', 'no'))) given.protocol = 'http:'
  const method = option('method', option('requestmethod', 'POST')).toUpperCase()
  if (!methods.has(method)) throw new NotificationFailed(`"${method.slice(0, 20)}" is no method of a webhook`)
  const headers: Record<string, string> = { 'content-type': option('contenttype', 'application/json') }
  const more: Record<string, string> = {}
  const passed = new URLSearchParams()
  for (const [name, value] of given.searchParams) {
    if (name.startsWith('@')) headers[name.slice(1).toLowerCase()] = value
    else if (name.startsWith('$')) more[name.slice(1)] = value
    else if (!ours.has(name)) passed.append(name, value)
  }
  const isJson = option('template', '').toLowerCase() === 'json'
  const body = isJson
    ? JSON.stringify({ ...more, [option('titlekey', 'title')]: title, [option('messagekey', 'message')]: message })
    : `${title}\n\n${message}`
  given.search = passed.toString()
  return { url: given.href, method, headers, body }
}

/** Sends a notice. Throws {@link NotificationFailed} with the peer's answer or why there is none, {@link InternalDestination}. */
export async function sendToWebhook(address: string, notice: Notice, { isAdmin }: { readonly isAdmin: boolean }): Promise<void> {
  const request = webhookRequest(address, notice)
  let isRefused = false
  const mayAsk = (one: string): boolean => {
    isRefused ||= !isAdmin && isInternal(one)
    return !isRefused
  }
  const answer = await checkedFetch(request.url, { ...request, mayAsk }).catch((cause: unknown) => {
    if (!(cause instanceof UnreachableError)) throw cause
    if (isRefused) throw new InternalDestination('Only admins can send to internal destinations.', { cause })
    const why = `failed to send notification to generic webhook: sending HTTP request: ${failureOf(request, cause)}`
    throw new NotificationFailed(`sending message via service at "${address}": ${why}`, { cause })
  })
  if (answer.status >= 300)
    throw new NotificationFailed(
      `sending message via service at "${address}": failed to send notification to generic webhook: the server answered with status ${answer.status}`,
    )
}

/** In the words that tools know. */
function failureOf({ url, method }: WebhookRequest, { cause, message }: UnreachableError): string {
  const { host, hostname, port, protocol } = new URL(url)
  const at = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const asked = `${method.charAt(0)}${method.slice(1).toLowerCase()} "${url}"`
  if (code === 'ECONNREFUSED') return `${asked}: dial tcp ${at}: connect: connection refused`
  if (code === 'ENOTFOUND') return `${asked}: dial tcp: lookup ${hostname}: no such host`
  return `${asked}: ${message}`
}
