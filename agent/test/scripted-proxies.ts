import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export type Proxy = AsyncDisposable & {
  readonly port: number
  /** Targets that clients requested, as `user:password@host:port`. The host is a name where the proxy has to resolve it. */
  readonly asked: readonly string[]
}

/**
 * Starts a SOCKS5 proxy (RFC 1928, 1929) that accepts every client, with or without a user name. It listens at the address `at` and
 * connects to it, whatever host the client requests.
 */
export async function socksProxy(at = '127.0.0.1'): Promise<Proxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const serve = async (client: Socket): Promise<void> => {
    open.add(client)
    client.on('error', () => client.destroy())
    const next = async (): Promise<Buffer> => ((await once(client, 'data')) as [Buffer])[0]
    const methods = (await next()).subarray(2)
    const withName = methods.includes(2)
    client.write(Buffer.of(5, withName ? 2 : 0))
    let who = ''
    if (withName) {
      const login = await next()
      const nameEnd = 2 + (login[1] ?? 0)
      who = `${login.subarray(2, nameEnd).toString()}:${login.subarray(nameEnd + 1).toString()}@`
      client.write(Buffer.of(1, 0))
    }
    const request = await next()
    const length = request[4] ?? 0
    const host = request[3] === 3 ? request.subarray(5, 5 + length).toString() : addressOf(request.subarray(4, -2))
    const port = request.readUInt16BE(request.length - 2)
    asked.push(`${who}${host}:${port}`)
    const upstream = connect(port, at)
    open.add(upstream)
    upstream.on('error', () => client.destroy())
    await once(upstream, 'connect')
    client.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0))
    client.pipe(upstream)
    upstream.pipe(client)
  }
  const server = createServer((client) => void serve(client))
  return { ...(await listening(server, at, open)), asked }
}

/**
 * Starts an HTTP proxy that supports only CONNECT and requires the login `user:pass!`. It listens at the address `at` and connects to it,
 * whatever host the client requests.
 */
export async function httpProxy(at = '127.0.0.1'): Promise<Proxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const server = createHttpServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket) => open.add(socket))
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    const login = Buffer.from(headers['proxy-authorization']?.replace('Basic ', '') ?? '', 'base64').toString()
    asked.push(`${login}@${url}`)
    if (login !== 'user:pass!') return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    const upstream = connect(Number(url.split(':').at(-1)), at, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream)
      upstream.pipe(client)
    })
    open.add(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  return { ...(await listening(server, at, open)), asked }
}

/** Starts listening at an address. Disposing the result closes all connections. */
async function listening(server: Server, at: string, open: ReadonlySet<Socket>): Promise<Omit<Proxy, 'asked'>> {
  server.listen(0, at)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is an object
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Formats the 4 or 16 bytes of an IP address as text; IPv6 gets brackets. */
function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  return new URL(`http://[${bytes.toString('hex').replaceAll(/(.{4})(?!$)/g, '$1:')}]`).hostname
}
