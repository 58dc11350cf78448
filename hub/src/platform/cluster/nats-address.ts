/** Address of a NATS cluster, from the option `--nats`: its servers, and the login and paths of TLS files for all of them. */
export type NatsAddress = {
  /** Addresses of the NATS servers, each as text `host:port`. */
  readonly servers: readonly string[]
  /** True when TLS is required, because an address began with `tls://`. With `nats://` TLS is used only if the server offers it. */
  readonly needsTls: boolean
  readonly login: NatsLogin
  /**
   * Paths of PEM files for TLS to NATS: `ca`, and client certificate `cert` with its `key`. Without `ca` the operating system's
   * certificates are trusted.
   */
  readonly tlsFiles: { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export type NatsLogin =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  // Login with a NATS `.creds` file, as `nsc` writes it: a signed user JWT and its key.
  | { readonly kind: 'file'; readonly path: string }

const STANDARD_PORT = 4222
const EXPECTED =
  'expected nats://HOST:PORT or tls://HOST:PORT, several of them with commas, with user:password@ or token@ before the host and ?ca=FILE&cert=FILE&key=FILE at the end'
const parameters: ReadonlySet<string> = new Set(['ca', 'cert', 'key'])

/**
 * Parses the value of `--nats`, such as `nats://user:password@host:4222,host2`, to servers, login and TLS files. Throws a `RangeError` that
 * says what is wrong without repeating the text, which may contain a password.
 */
export function parseNatsAddress(text: string, credentialsFile?: string): NatsAddress {
  const [firstText = '', ...otherTexts] = text.split(',')
  const first = parseServer(firstText)
  const urls = [first, ...otherTexts.map((other) => parseServer(other.includes('://') ? other : `${first.protocol}//${other}`))]
  const last = urls.at(-1) ?? first
  if (urls.some((url) => url !== last && url.search !== '')) throw new RangeError(EXPECTED)
  for (const name of last.searchParams.keys()) if (!parameters.has(name)) throw new RangeError(EXPECTED)
  const file = (name: string): string | undefined => last.searchParams.get(name) ?? undefined
  const [ca, cert, key] = [file('ca'), file('cert'), file('key')]
  if ((cert === undefined) !== (key === undefined)) throw new RangeError('the certificate needs its key: both cert=FILE and key=FILE')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? STANDARD_PORT : port}`),
    needsTls: urls.some(({ protocol }) => protocol === 'tls:'),
    login: loginOf(first, credentialsFile),
    tlsFiles: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
  }
}

function parseServer(text: string): URL {
  const url = URL.parse(text.trim())
  const isServer = url !== null && (url.protocol === 'nats:' || url.protocol === 'tls:') && url.hostname !== ''
  if (!isServer || (url.pathname !== '' && url.pathname !== '/') || url.hash !== '') throw new RangeError(EXPECTED)
  return url
}

function loginOf({ username, password }: URL, credentialsFile: string | undefined): NatsLogin {
  if (credentialsFile !== undefined) return { kind: 'file', path: credentialsFile }
  if (username === '') return { kind: 'none' }
  const [user, secret] = [decoded(username), decoded(password)]
  return password === '' ? { kind: 'token', token: user } : { kind: 'password', user, password: secret }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('the user or password contains a % that is not followed by two hex digits')
  }
}
