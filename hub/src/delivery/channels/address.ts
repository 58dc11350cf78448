/** Error for a channel address that cannot be used. The message is one sentence without any secret part of the address. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
}

/** Parsed address of a notification channel, as users enter it in their settings: `kind://user:password@host:port/path?option=value`. */
export type Address = {
  readonly scheme: string
  readonly user: string
  readonly password: string
  /** Host of a channel address, with the port if it has one, exactly as the user wrote them, such as `ntfy.sh:8080`. */
  readonly host: string
  readonly hostname: string
  /** Port of the channel address as text; `''` when the address has none. */
  readonly port: string
  /** List of the path segments of the channel address, percent-decoded; empty segments are removed. */
  readonly path: readonly string[]
  /**
   * Path of a channel address's URL exactly as the user wrote it, from the first slash after the host. It is not decoded and lacks query
   * and fragment, such as `/a%20b`.
   */
  readonly rawPath: string
  readonly fragment: string
  /** List of the query parameters of the channel address as pairs of name and value, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /**
   * Returns the value of the address's first query parameter that has one of the names `names`, ignoring case. `undefined` if absent or
   * empty text.
   */
  readonly option: (...names: readonly string[]) => string | undefined
  /**
   * Parses the query parameter `name` of a channel address as yes (yes/true/1/y/on) or no (no/false/0/n/off). Returns `standard` if it is
   * absent. Throws {@link AddressError} for any other value.
   */
  readonly flag: (name: string, standard: boolean) => boolean
  /**
   * Parses the channel address's query parameter that has one of the names `names` as a comma-separated list of texts. Empty if the address
   * lacks the parameter.
   */
  readonly list: (...names: readonly string[]) => readonly string[]
}

/** Parses the text of a channel address to its parts. Throws {@link AddressError} if it is not a URL. */
export function readAddress(text: string): Address {
  if (!URL.canParse(text)) throw new AddressError('Cannot read the address: it is not a URL')
  const url = new URL(text)
  const parameters = [...url.searchParams]
  const option = (...names: readonly string[]): string | undefined => {
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    const [, value] = parameters.find(([name]) => wanted.has(name.toLowerCase())) ?? []
    return value === '' ? undefined : value
  }
  return {
    scheme: url.protocol.slice(0, -1).toLowerCase(),
    user: decoded(url.username),
    password: decoded(url.password),
    host: url.host,
    hostname: url.hostname,
    port: url.port,
    path: url.pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    rawPath: url.pathname,
    fragment: decoded(url.hash.slice(1)),
    parameters,
    option,
    flag(name, standard) {
      const value = option(name)
      if (value === undefined) return standard
      if (/^(?:yes|true|1|y|on)$/i.test(value)) return true
      if (/^(?:no|false|0|n|off)$/i.test(value)) return false
      throw new AddressError(`Cannot read the address: "${name}" is not yes or no`)
    },
    list: (...names) =>
      (option(...names) ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign without a valid escape is literal.
    return text
  }
}

/**
 * Returns `value`, a part of a channel address, if it is not empty. Otherwise throws {@link AddressError}, whose message names the missing
 * part (`what`, such as `the token`) and the expected form of the address.
 */
export function requiredPart(value: string | undefined, what: string, form: string): string {
  if (value === undefined || value === '') throw new AddressError(`Cannot read the address: ${what} is missing, expected ${form}`)
  return value
}

/**
 * Parses the query parameter `name` of a channel address as a whole number from `least` to `most`, both inclusive. Returns `undefined` if
 * the address lacks it. Throws {@link AddressError} for any other value.
 */
export function wholeOption(address: Address, name: string, [least, most]: readonly [number, number]): number | undefined {
  const text = address.option(name)
  if (text === undefined) return undefined
  const value = /^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new AddressError(`Cannot read the address: "${name}" is not a whole number from ${least} to ${most}`)
  return value
}

/**
 * Returns the URL scheme for a channel's self-hosted server: `http` if the address has `scheme=http` or `disabletls=yes`, else `https`.
 * Throws {@link AddressError} for another `scheme`.
 */
export function webScheme(address: Address): 'http' | 'https' {
  const named = address.option('scheme')?.toLowerCase()
  if (named !== undefined && named !== 'http' && named !== 'https')
    throw new AddressError('Cannot read the address: "scheme" is not http or https')
  return address.flag('disabletls', false) || named === 'http' ? 'http' : 'https'
}

/**
 * Returns the value of the `Authorization` header for HTTP Basic (RFC 7617) from the user name and password of a channel address.
 * `undefined` if both are empty.
 */
export function basicAuthorization({ user, password }: Pick<Address, 'user' | 'password'>): string | undefined {
  if (user === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/**
 * Returns host and port of a channel address. Throws {@link AddressError} if the host is missing; `form` is the expected form of the
 * address, for the message.
 */
export function requiredHost({ host }: Address, form: string): string {
  return requiredPart(host, 'the host', form)
}
