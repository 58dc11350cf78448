/** Why an address cannot be used, in one sentence without any secret part of it. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
}

/** A parsed address in the notation of existing settings: `kind://user:password@host:port/path?option=value`. */
export type Address = {
  readonly scheme: string
  readonly user: string
  readonly password: string
  /** Host and port, as written. */
  readonly host: string
  readonly hostname: string
  /** `''` when there is none. */
  readonly port: string
  /** Path segments, decoded; empty segments are removed. */
  readonly path: readonly string[]
  /** The path as written, from its first slash. */
  readonly rawPath: string
  readonly fragment: string
  /** All query parameters, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** Value of the first parameter with one of these names, ignoring case; undefined if absent or empty. */
  readonly option: (...names: readonly string[]) => string | undefined
  /** An option as a boolean: yes/true/1/y/on or no/false/0/n/off. Throws {@link AddressError} for any other value. */
  readonly flag: (name: string, standard: boolean) => boolean
  /** An option as a comma-separated list. */
  readonly list: (...names: readonly string[]) => readonly string[]
}

/** Parses an address. Throws {@link AddressError} if it is not a URL. */
export function readAddress(text: string): Address {
  if (!URL.canParse(text)) throw new AddressError('Cannot read the address: it is no URL')
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
      throw new AddressError(`Cannot read the address: "${name}" is neither yes nor no`)
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

/** Returns the value. Throws {@link AddressError} that names the missing part and the expected form. */
export function required(value: string | undefined, what: string, form: string): string {
  if (value === undefined || value === '') throw new AddressError(`Cannot read the address: ${what} is missing, expected ${form}`)
  return value
}

/** An option as an integer within bounds; undefined if absent. Throws {@link AddressError} for any other value. */
export function wholeOption(address: Address, name: string, [least, most]: readonly [number, number]): number | undefined {
  const text = address.option(name)
  if (text === undefined) return undefined
  const value = /^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new AddressError(`Cannot read the address: "${name}" is no whole number from ${least} to ${most}`)
  return value
}

/** `http` if the address says `scheme=http` or `disabletls=yes`, else `https`. */
export function webScheme(address: Address): 'http' | 'https' {
  const named = address.option('scheme')?.toLowerCase()
  if (named !== undefined && named !== 'http' && named !== 'https')
    throw new AddressError('Cannot read the address: "scheme" is neither http nor https')
  return address.flag('disabletls', false) || named === 'http' ? 'http' : 'https'
}

/** `Authorization` header of RFC 7617; undefined without a name and a password. */
export function basicAuthorization({ user, password }: Pick<Address, 'user' | 'password'>): string | undefined {
  if (user === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Returns the host of a self-hosted server. Throws {@link AddressError} if it is missing. */
export function requiredHost({ host }: Address, form: string): string {
  return required(host, 'the host', form)
}
