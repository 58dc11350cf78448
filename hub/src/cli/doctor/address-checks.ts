import { connect } from 'node:net'
import { once } from 'node:events'
import { parseNatsAddress } from '../../platform/cluster/nats-address.ts'
import { isUnixSocket, listenAddressText } from '../../platform/http/listening/listen-address.ts'
import { AddressUnusableError, probeAddress } from '../../platform/http/listening/listen.ts'
import { proveHealth } from '../../operations/backups/prove-health.ts'
import { basePathOf } from '../../startup/proved-start.ts'
import type { HubConfig } from '../../startup/config.ts'
import { absent, failing, works, type Finding } from './finding.ts'

/**
 * Check of `vedette doctor`: returns a finding that says whether a hub runs on the data directory. `holder` is the process id of that hub;
 * `undefined` if none runs, which is no problem.
 */
export const checkHub = (holder: number | undefined): Finding =>
  holder === undefined ? absent('hub', 'none is running on this folder') : works('hub', `process ${holder} is running on this folder`)

/**
 * Check of `vedette doctor`: resolves to a finding that says whether the hub's listen address is free. If a hub runs on the data directory
 * (`holder`: its process id), it must respond there instead.
 */
export async function checkAddress({ listen, tls, appUrl }: HubConfig, holder: number | undefined): Promise<Finding> {
  const text = listenAddressText(listen)
  if (holder !== undefined) {
    const host = isUnixSocket(listen) ? '' : listen.host.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1')
    const url = isUnixSocket(listen)
      ? text
      : `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listen.port}`
    try {
      await proveHealth(url, basePathOf(appUrl))
      return works('address', `${text}: the hub responds`)
    } catch {
      return failing(
        'address',
        `${text}: the running hub does not respond there`,
        'give this command the options of the hub, such as --listen; then restart the hub',
      )
    }
  }
  if (isUnixSocket(listen))
    return (await canConnect({ path: listen.path }))
      ? failing('address', `${text}: another program listens there`, `ss -lxp src ${listen.path}`)
      : works('address', `${text} is free`)
  try {
    await probeAddress(listen)
    return works('address', `${text} is free`)
  } catch (error) {
    if (!(error instanceof AddressUnusableError)) throw error
    return failing('address', error.message)
  }
}

/**
 * Check of `vedette doctor`: returns a finding that says whether the options for public URL, TLS certificate and trusted proxies fit
 * together.
 */
export function checkProxy({ appUrl, tls, trustedProxies, listen }: HubConfig): Finding {
  if (appUrl === undefined) return absent('public URL', 'none: links in messages have the address of the request', 'give it with --app-url')
  const isHttps = appUrl.startsWith('https:')
  if (!isHttps && tls !== undefined)
    return failing('public URL', `${appUrl} is not HTTPS, but the hub serves HTTPS`, 'give the https address with --app-url')
  const isBehindProxy = (isHttps && tls === undefined) || isUnixSocket(listen)
  if (isBehindProxy && trustedProxies.length === 0)
    return absent(
      'public URL',
      `${appUrl}; no proxy is trusted by --trusted-proxies, so all clients may have its address`,
      'list the proxy with --trusted-proxies, or in the settings',
    )
  return works('public URL', appUrl)
}

/**
 * Check of `vedette doctor`: resolves to a finding that says whether each configured NATS server accepts a TCP connection from this
 * machine.
 */
export async function checkNatsServers({ nats }: HubConfig): Promise<Finding> {
  if (nats === undefined) return absent('NATS', 'not used: one hub needs none')
  const { servers } = parseNatsAddress(nats.servers.reveal(), nats.credentialsFile)
  for (const server of servers) {
    const at = server.lastIndexOf(':')
    const isUp = await canConnect({ host: server.slice(0, at).replaceAll(/[[\]]/g, ''), port: Number(server.slice(at + 1)) })
    if (!isUp) return failing('NATS', `${server} does not accept connections`, 'start it, or correct --nats')
  }
  return works('NATS', servers.join(', '))
}

const CONNECT_MS = 5000

async function canConnect(address: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<boolean> {
  const socket = connect(address)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
