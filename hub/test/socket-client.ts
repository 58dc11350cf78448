import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends one request over a Unix socket and resolves with the whole response. A body is sent as JSON. */
export async function socketCall(
  socketPath: string,
  asked: string,
  { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object } = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const [method = '', path = ''] = asked.split(' ')
  const outgoing = request({ socketPath, method, path, agent: false, headers: { 'content-type': 'application/json', ...headers } })
  const responded = once(outgoing, 'response')
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await responded) as [IncomingMessage] // the arguments of the event
  return { status: response.statusCode ?? 0, body: await text(response) }
}
