import { request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'

/** Parameters of a connection to a hub: host, port, TLS, proxy, pinned certificate, and timeout in ms. */
export type HubConnection = {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly proxy: string | undefined
  readonly certificateSha256: string | undefined
  readonly deadlineMs: number
}

/**
 * Connects to a hub, through the proxy if there is one, and resolves with the socket. With TLS, the certificate has been verified, and
 * nothing was sent before that; without TLS and proxy, the socket may still be connecting. Rejects when the proxy, the connection for TLS
 * or the certificate fails.
 */
export async function connectToHub(hub: HubConnection): Promise<Socket> {
  const socket = await (hub.proxy === undefined
    ? direct(hub)
    : hub.proxy.startsWith('http:')
      ? throughHttp(hub, hub.proxy)
      : throughSocks(hub, hub.proxy))
  return hub.isSecure ? secured(socket, hub) : socket
}

async function direct({ host, port }: HubConnection): Promise<Socket> {
  const { connect } = process.getBuiltinModule('node:net')
  return connect({ host, port, noDelay: true })
}

/** Opens a tunnel to a hub through an HTTP proxy with CONNECT (RFC 9110, section 9.3.6) and resolves with its socket. */
function throughHttp({ host, port, deadlineMs }: HubConnection, proxy: string): Promise<Socket> {
  const url = new URL(proxy)
  const { port: proxyPort, username, password } = url
  const to = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = { host: to, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }) }
  return new Promise((resolve, reject) => {
    const refused = (reason: string): void => reject(new Error(`the proxy did not connect: ${reason}`))
    const asked = request({
      host: bareHost(url),
      port: proxyPort || 80,
      method: 'CONNECT',
      path: to,
      headers,
      agent: false,
      timeout: deadlineMs,
    })
    asked.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      if (statusCode !== 407) return refused(`it answered ${statusCode}`)
      refused(username === '' ? 'it wants a login that is not given' : 'it refused the login')
    })
    asked.on('response', ({ statusCode }) => {
      asked.destroy()
      refused(`it answered ${statusCode}`)
    })
    asked.on('timeout', () => asked.destroy(new Error('the proxy did not connect: no answer in time')))
    asked.on('error', reject)
    asked.end()
  })
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Opens a tunnel to a hub through a SOCKS5 proxy and resolves with its socket. The SOCKS library is loaded on first use. Its API requires
 * an HTTP request, which is never sent.
 */
async function throughSocks({ host, port }: HubConnection, proxy: string): Promise<Socket> {
  const { SocksProxyAgent } = await import('socks-proxy-agent')
  const nowhere = request({ createConnection: () => new PassThrough() })
  nowhere.on('error', () => undefined)
  try {
    const agent = new SocksProxyAgent(proxy)
    // The library would try to resolve the brackets of an IPv6 address.
    agent.proxy.host = bareHost(new URL(proxy))
    return await agent.connect(nowhere, { host, port, secureEndpoint: false })
  } finally {
    nowhere.destroy()
  }
}

function secured(socket: Socket, { host, certificateSha256, deadlineMs }: HubConnection): Promise<Socket> {
  const { connect } = process.getBuiltinModule('node:tls')
  // A pinned certificate needs no trusted issuer.
  const options: ConnectionOptions = {
    socket,
    rejectUnauthorized: certificateSha256 === undefined,
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  }
  return new Promise((resolve, reject) => {
    const secure = connect(options)
    secure.setTimeout(deadlineMs, () => secure.destroy(new Error('no answer in time')))
    secure.once('error', reject)
    secure.once('secureConnect', () => {
      const shown = secure.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()
      if (certificateSha256 !== undefined && shown !== certificateSha256) {
        secure.destroy(new Error("the server's certificate is another than the one of HUB_CERT_SHA256"))
        return
      }
      secure.setTimeout(0)
      secure.off('error', reject)
      resolve(secure)
    })
  })
}
