import { resolve } from 'node:path'
import { trustedProxies } from '../../platform/http/client-address.ts'
import { isUnixSocket, UNIX_PREFIX, type ListenAddress } from '../../platform/http/listening/listen-address.ts'
import type { TlsFiles } from '../../platform/http/listening/tls-files.ts'
import type { Options, Values } from './options.ts'

/**
 * Map of the command-line options that decide where the hub listens and which proxies it trusts: for each its environment variables, help
 * text and parser.
 */
export const listenOptions = {
  listen: {
    environment: ['VEDETTE_LISTEN'],
    shape: 'ADDRESS',
    standard: '127.0.0.1:8090',
    doc: 'Address to serve on: HOST:PORT, or `unix:` and the path of a Unix socket.',
    parse: parseListen,
  },
  socketMode: {
    environment: ['VEDETTE_SOCKET_MODE'],
    shape: 'MODE',
    standard: '660',
    doc: 'Permissions of the Unix socket. The proxy needs write permission, so it must be in the group of the hub, or the mode must be 666.',
    parse: parseMode,
  },
  tlsCertificate: {
    environment: ['VEDETTE_TLS_CERTIFICATE'],
    shape: 'FILE',
    doc: 'Certificate with its chain, in PEM: the hub serves HTTPS itself. It reads the file again when it changes; needs the key too.',
    parse: (text: string) => resolve(text),
  },
  tlsKey: {
    environment: ['VEDETTE_TLS_KEY'],
    shape: 'FILE',
    doc: 'Private key of that certificate, in PEM, without a passphrase.',
    parse: (text: string) => resolve(text),
  },
  appUrl: {
    environment: ['VEDETTE_APP_URL', 'BESZEL_HUB_APP_URL', 'APP_URL'],
    shape: 'URL',
    doc: 'Public address of this hub, for links in messages. Its path, if any, is the path at which a proxy serves the hub.',
    parse: parseHttpUrl,
  },
  trustedProxies: {
    environment: ['VEDETTE_TRUSTED_PROXIES'],
    shape: 'NETWORKS',
    doc: 'Proxies whose `X-Forwarded-For`, `X-Real-IP` and `CF-Connecting-IP` are trusted: addresses and networks, separated by commas. `unix` trusts every program that may connect to the Unix socket. Without it, none.',
    parse: parseNetworks,
  },
  authHeader: {
    environment: ['VEDETTE_AUTH_HEADER', 'BESZEL_HUB_TRUSTED_AUTH_HEADER', 'TRUSTED_AUTH_HEADER'],
    shape: 'NAME',
    doc: 'Header in which a proxy of `--trusted-proxies` sends the email address of the user whom it has signed in, such as `Remote-Email`. The proxy must remove the header from requests of clients.',
    parse: parseHeaderName,
  },
} as const satisfies Options

/** Returns the address on which the hub listens, from its options. A Unix socket has the file permissions of the option `--socket-mode`. */
export function listenAddressOf({ listen, socketMode }: Values<typeof listenOptions>): ListenAddress {
  return isUnixSocket(listen) ? { ...listen, mode: socketMode } : listen
}

/** Returns the paths of the files with TLS certificate and key from the hub's options; `undefined` for plain HTTP. */
export const tlsFilesOf = ({ tlsCertificate, tlsKey }: Values<typeof listenOptions>): TlsFiles | undefined =>
  tlsCertificate === undefined || tlsKey === undefined ? undefined : { certificate: tlsCertificate, key: tlsKey }

/**
 * Checks the options that say where and how the hub listens for those that contradict each other. Returns one sentence for each problem.
 */
export function listenContradictions(values: Values<typeof listenOptions>): readonly string[] {
  const { listen, tlsCertificate, tlsKey, authHeader, trustedProxies: proxies = [] } = values
  const everybody = proxies.find((network) => network.endsWith('/0'))
  const problems = {
    '--tls-certificate and --tls-key: HTTPS needs both': (tlsCertificate === undefined) !== (tlsKey === undefined),
    '--tls-certificate: a Unix socket has no HTTPS; leave the certificate to the proxy':
      tlsCertificate !== undefined && isUnixSocket(listen),
    '--auth-header: list the proxies that set it, with --trusted-proxies': authHeader !== undefined && proxies.length === 0,
    [`--auth-header: with ${everybody} in --trusted-proxies everybody could sign in as anybody; list the proxies alone`]:
      authHeader !== undefined && everybody !== undefined,
  }
  return Object.entries(problems).flatMap(([problem, isMet]) => (isMet ? [problem] : []))
}

/**
 * Maximum length in bytes (107) of the path of a Unix socket on which the hub listens, unix(7). A longer one is a problem of the options.
 */
const LONGEST_PATH = 107

const STANDARD_MODE = 0o660

function parseListen(text: string): ListenAddress {
  if (text.startsWith(UNIX_PREFIX)) return parseSocket(text.slice(UNIX_PREFIX.length))
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535)
    throw new RangeError(`"${text}" is not HOST:PORT or unix:PATH, such as 127.0.0.1:8090, [::]:8090 or unix:/run/vedette/hub.sock`)
  return { host: match[1] ?? (match[2] === '' || match[2] === undefined ? '0.0.0.0' : match[2]), port }
}

function parseSocket(text: string): ListenAddress {
  if (text === '') throw new RangeError('"unix:" has no path, such as unix:/run/vedette/hub.sock')
  const path = resolve(text)
  const bytes = Buffer.byteLength(path)
  if (bytes > LONGEST_PATH || path.includes('\0')) throw new RangeError(`expected a path of at most ${LONGEST_PATH} bytes, got ${bytes}`)
  return { path, mode: STANDARD_MODE }
}

function parseMode(text: string): number {
  if (!/^0?[0-7]{3}$/.test(text)) throw new RangeError(`"${text}" is not a mode of 3 octal digits, such as 660`)
  return Number.parseInt(text, 8)
}

/**
 * Parses an option with the URL of a website; returns it without a trailing slash. Throws a `RangeError` unless it is an `http` or `https`
 * URL.
 */
export function parseHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new RangeError(`"${text}" is not an http or https address`)
  return url.href.replace(/\/$/, '')
}

/**
 * Regular expression for lower-case header names that browsers or proxies send for another purpose, such as `cookie`. They cannot sign
 * users in, because anyone can set them.
 */
const OTHER_PURPOSE =
  /^(?:accept.*|authorization|cf-.*|connection|content-.*|cookie|date|expect|forwarded|from|host|if-.*|origin|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent|via|x-real-ip|x-forwarded-(?:for|host|port|proto))$/

/**
 * Parses the option with the name of the sign-in header; returns it in lower case. Throws a `RangeError` for any other text, and for
 * headers with another purpose, such as `cookie`.
 */
function parseHeaderName(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(text)) throw new RangeError(`"${text}" is not the name of a header, such as Remote-Email`)
  const name = text.toLowerCase()
  if (OTHER_PURPOSE.test(name)) throw new RangeError(`"${text}" is a header that browsers or proxies send for another purpose`)
  return name
}

function parseNetworks(text: string): readonly string[] {
  const networks = text.split(',').map((network) => network.trim())
  trustedProxies(networks)
  return networks
}
