import { request, type RequestOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { siteCertificate } from './local-certificate.ts'

export type TlsSite = {
  readonly port: number
  /** Value of `Host`, and name in the TLS handshake unless it is an IP address. */
  readonly host: string
  /** Path under which the hub is: `''` or `/monitor`. */
  readonly base: string
  /** Address of this machine from which the client connects. */
  readonly from: string
  readonly ca?: string
}

type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }

/** A response with its body as text. */
export type TlsResponse = { readonly status: number; readonly body: string }

const optionsOf = ({ port, host, from, ca = siteCertificate.cert }: TlsSite) =>
  ({ port, host: '127.0.0.1', ...(isIP(host) === 0 ? { servername: host } : {}), localAddress: from, ca }) as const

/** Sends one request on a connection of its own, and resolves when the headers of the response are there. */
export async function tlsRequest(site: TlsSite, asked: string, { headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
  const [method = '', path = ''] = asked.split(' ')
  const options: RequestOptions = { ...optionsOf(site), method, path: site.base + path, agent: false }
  const outgoing = request({ ...options, headers: { host: site.host, ...headers } })
  // A proxy may respond before it has read the whole body.
  const responded = once(outgoing, 'response')
  outgoing.on('error', () => {})
  outgoing.end(body)
  const [response] = (await responded) as [IncomingMessage] // the arguments of the event
  return response
}

/** Sends one request and resolves with the whole response. */
export async function tlsCall(site: TlsSite, asked: string, sent: Sent = {}): Promise<TlsResponse> {
  const response = await tlsRequest(site, asked, sent)
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** A TLS connection that has sent a text and reads nothing. */
export async function stalledConnection(site: TlsSite, sent: string): Promise<TLSSocket> {
  const socket = connect({ ...optionsOf(site), ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  socket.pause()
  socket.write(sent)
  return socket
}

/** Parses the events of an event stream (HTML standard, 9.2). `next` resolves with the first unread event that fits. */
export function eventsOf(response: IncomingMessage) {
  const events = response.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterableIterator<string> // because of the encoding
  let unread = ''
  const next = async (fits: (event: string) => boolean): Promise<string> => {
    for (;;) {
      const end = unread.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await events.next()
        if (done === true) throw new Error(`The stream has ended after "${unread}"`)
        unread += value
        continue
      }
      const event = unread.slice(0, end)
      unread = unread.slice(end + 2)
      if (fits(event)) return event
    }
  }
  return { next }
}
