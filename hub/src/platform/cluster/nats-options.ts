import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from '@nats-io/transport-node'
import type * as transport from '@nats-io/transport-node'
import { HubMessagesUnusableError } from './hub-messages.ts'
import type { NatsAddress, NatsLogin } from './nats-address.ts'

type Nats = typeof transport

/** Timeout for connecting to a NATS server, in ms (5 s). A slower server counts as unreachable. */
const CONNECT_TIMEOUT_MS = 5000
/** Interval of NATS pings, in ms (5 s). Two pings without a response end the connection, so a frozen server is noticed within 15 s. */
const PING_EVERY_MS = 5000

/**
 * Returns the connection options of the NATS client for the servers in `address`; `name` is that of the connection. Throws {@link
 * HubMessagesUnusableError} when a certificate or credentials file cannot be read.
 */
export function natsOptions(nats: Nats, address: NatsAddress, name: string): ConnectionOptions {
  const { ca, cert, key } = address.tlsFiles
  const files = { ...(ca && { ca: read(ca) }), ...(cert && { cert: read(cert) }), ...(key && { key: read(key) }) }
  const isTlsGiven = address.needsTls || Object.keys(files).length > 0
  return {
    servers: [...address.servers],
    name,
    noEcho: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: 2,
    ...loginOptions(nats, address.login),
    ...(isTlsGiven && { tls: files }),
  }
}

function loginOptions(nats: Nats, login: NatsLogin): ConnectionOptions {
  if (login.kind === 'password') return { user: login.user, pass: login.password }
  if (login.kind === 'token') return { token: login.token }
  if (login.kind === 'none') return {}
  const credentials = new TextEncoder().encode(read(login.path))
  try {
    const authenticator = nats.credsAuthenticator(credentials)
    // Signs once, so that a file without a key is reported at the start.
    authenticator('start')
    return { authenticator }
  } catch (cause) {
    throw new HubMessagesUnusableError(`Cannot use the file "${login.path}" for NATS: it contains no credentials of an account`, { cause })
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new HubMessagesUnusableError(`Cannot read the file "${path}" that --nats names`, { cause })
  }
}

/**
 * Connects to NATS once and disconnects, to check the options and the permission for subjects below `prefix`. Rejects with {@link
 * HubMessagesUnusableError} when login, certificate or permissions are wrong. Resolves to the error when NATS is only unreachable, else to
 * `undefined`.
 */
export async function checkNats(nats: Nats, options: ConnectionOptions, prefix: string): Promise<unknown> {
  let connection
  try {
    connection = await nats.connect({ ...options, reconnect: false })
  } catch (error) {
    const fault = faultOfOperator(nats, error)
    if (fault !== undefined) throw new HubMessagesUnusableError(fault, { cause: error })
    return error ?? new Error('NATS is not reached')
  }
  try {
    const refusals: string[] = []
    const statuses = connection.status()[Symbol.asyncIterator]()
    const reading = (async () => {
      for (let next = await statuses.next(); next.done !== true; next = await statuses.next()) {
        if (next.value.type === 'error' && next.value.error instanceof nats.PermissionViolationError)
          refusals.push(next.value.error.operation)
      }
    })()
    connection.subscribe(`${prefix}.>`)
    connection.publish(`${prefix}.start`)
    await connection.flush()
    await connection.close()
    await reading
    if (refusals.length === 0) return undefined
  } catch (error) {
    return error
  }
  throw new HubMessagesUnusableError(
    'NATS does not let this hub use its subjects: allow its account to publish and to subscribe to "vedette.>"',
  )
}

function faultOfOperator(nats: Nats, error: unknown): string | undefined {
  if (error instanceof nats.AuthorizationError || error instanceof nats.UserAuthenticationExpiredError)
    return 'NATS refuses the login of this hub: check user, password, token or credentials in --nats'
  if (error instanceof nats.ConnectionError && error.message.includes("support 'tls'"))
    return 'NATS offers no TLS at this address: use nats:// instead of tls://'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.includes('CERT') || code.startsWith('ERR_TLS'))
    return 'The certificate of NATS is not trusted, or NATS does not trust the one of this hub: name the right files with ?ca=FILE&cert=FILE&key=FILE in --nats'
  return undefined
}
