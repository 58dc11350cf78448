/** Why an address cannot be used, in one sentence that holds no part of it that may be secret. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
}

/** An address in the notation of existing settings, `kind://user:password@host:port/path?option=value`, in its parts. */
export type Address = {
  readonly scheme: string
  readonly user: string
  readonly password: string
  /** With its port, as written. */
  readonly host: string
  readonly hostname: string
  /** `''` when there is none. */
  readonly port: string
  /** Decoded, without empty ones. */
  readonly path: readonly string[]
  /** As written, from its first slash. */
  readonly rawPath: string
  readonly fragment: string
  /** All parameters as they stand there, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** The first parameter of one of these names, whatever their case; undefined for none and for an empty one. */
  readonly option: (...names: readonly string[]) => string | undefined
  /** The same as yes or no. Throws {@link AddressError} for anything else. */
  readonly flag: (name: string, standard: boolean) => boolean
  /** The same as a list that is separated by commas. */
  readonly list: (...names: readonly string[]) => readonly string[]
}

/** Reads an address. Throws {@link AddressError}. */
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
    // A percent sign that escapes nothing stands for itself.
    return text
  }
}

/** The value, or an error that says what is missing where. */
export function required(value: string | undefined, what: string, form: string): string {
  if (value === undefined || value === '') throw new AddressError(`Cannot read the address: ${what} is missing, expected ${form}`)
  return value
}

/** A whole number within bounds; undefined when it is not there. Throws {@link AddressError}. */
export function wholeOption(address: Address, name: string, [least, most]: readonly [number, number]): number | undefined {
  const text = address.option(name)
  if (text === undefined) return undefined
  const value = /^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new AddressError(`Cannot read the address: "${name}" is no whole number from ${least} to ${most}`)
  return value
}

/** `http:` where the address says so, in either of the two ways that there are. */
export function webScheme(address: Address): 'http' | 'https' {
  const named = address.option('scheme')?.toLowerCase()
  if (named !== undefined && named !== 'http' && named !== 'https')
    throw new AddressError('Cannot read the address: "scheme" is neither http nor https')
  return address.flag('disabletls', false) || named === 'http' ? 'http' : 'https'
}

/** `Basic` of RFC 7617; undefined without a name or a password. */
export function basicAuthorization({ user, password }: Pick<Address, 'user' | 'password'>): string | undefined {
  if (user === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The host of a server that somebody runs. Throws {@link AddressError}. */
export function requiredHost({ host }: Address, form: string): string {
  return required(host, 'the host', form)
}
