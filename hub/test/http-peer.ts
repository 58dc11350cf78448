import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { localCertificate } from './local-certificate.ts'

type Received = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type PeerAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

/** An HTTP server that records its requests and sends the given responses. */
export async function httpPeer(
  answerTo: (received: Received, before: number) => PeerAnswer | Promise<PeerAnswer> = () => ({ status: 200 }),
  { isTls = false } = {},
) {
  const received: Received[] = []
  const listener: RequestListener = (request, response) => {
    void text(request).then(async (body) => {
      const { method, url, headers } = request
      const one = { method, url, headers, body }
      received.push(one)
      const answer = await answerTo(one, received.length - 1)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  }
  const server = isTls ? createTlsServer(localCertificate, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    received,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
