import { parseArgs } from 'node:util'
import { didYouMean, nearestNames } from '@vedette/protocol/nearest-names'
import { nullRecord } from '@vedette/protocol/null-record'
import { ownValue } from '@vedette/protocol/own-value'

/**
 * Wrapper of a secret option such as a password, which must not appear in logs, messages or dumps: it prints as `***`. `reveal()` returns
 * the text.
 */
export class Secret {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  reveal(): string {
    return this.#text
  }
  toString(): string {
    return '***'
  }
  toJSON(): string {
    return '***'
  }
}

/**
 * Definition of a program option of type `T`, whose flag is `--name VALUE`: environment variables, help text (`doc`) and parser. The first
 * environment variable is the documented one.
 */
export type Option<T> = {
  readonly environment: readonly [string, ...string[]]
  /** Placeholder for the value of this option in the help text, such as `ADDRESS` in `--listen ADDRESS`. */
  readonly shape: string
  /**
   * Default value of this option as text, as a user would write it. Absent: the option has no default, and its value may be `undefined`.
   */
  readonly standard?: string
  readonly doc: string
  /**
   * Converts the text of a program option, as the user wrote it, to the option's value. Throws a `RangeError` that names the expected form.
   */
  readonly parse: (text: string) => T
}

export type Options = { readonly [name: string]: Option<unknown> }

export type Values<O extends Options> = {
  readonly [K in keyof O]: ReturnType<O[K]['parse']> | (O[K] extends { readonly standard: string } ? never : undefined)
}

export type Environment = { readonly [name: string]: string | undefined }

export type ParsedOptions<O extends Options> =
  | { readonly ok: true; readonly values: Values<O>; readonly rest: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Returns the command-line flag of an option by its name in code: `--data-dir` for `dataDir`. */
export const flagName = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/**
 * Parses program options from command-line flags and environment variables; flags have priority, and an empty variable counts as unset.
 * Returns the values by option name and `rest`, the arguments that are not flags. Otherwise returns all problems as sentences.
 */
export function parseOptions<O extends Options>(options: O, args: readonly string[], environment: Environment): ParsedOptions<O> {
  const problems: string[] = []
  const { flags, rest } = splitArguments(options, args, problems)
  const values = nullRecord<unknown>()
  for (const [name, option] of Object.entries(options)) {
    const given = flags.has(name) ? { text: flags.get(name) ?? '', from: flagName(name) } : fromEnvironment(option, environment)
    const text = given?.text ?? option.standard
    if (text === undefined) continue
    try {
      values[name] = option.parse(text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      problems.push(`${given?.from ?? flagName(name)}: ${error.message}`)
    }
  }
  // Each value has its own option's type, which the compiler cannot see in the loop.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values: values as Values<O>, rest }
}

/**
 * Finds environment variables that begin with `VEDETTE_` and are no option, but whose names are similar to one. Returns each name with
 * `meant`, the similar environment variables of options.
 */
export function mistypedNames(
  options: Options,
  environment: Environment,
): readonly { readonly name: string; readonly meant: readonly string[] }[] {
  const known = Object.values(options).flatMap((option) => [...option.environment])
  const ours = Object.keys(environment).filter((name) => name.startsWith(OUR_PREFIX) && !known.includes(name))
  return ours.flatMap((name) => {
    // Compares without the common prefix. Variables of others, such as those of Kubernetes, are not similar.
    const near = nearestNames(
      name.slice(OUR_PREFIX.length),
      known.map((one) => one.replace(OUR_PREFIX, '')),
    )
    return near.length === 0 ? [] : [{ name, meant: near.map((one) => `${OUR_PREFIX}${one}`) }]
  })
}

const OUR_PREFIX = 'VEDETTE_'

function splitArguments(options: Options, args: readonly string[], problems: string[]) {
  const byFlag = new Map(Object.keys(options).map((name) => [flagName(name), name]))
  const known = Object.fromEntries([...byFlag.keys()].map((flag) => [flag.slice(2), { type: 'string' as const }]))
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string>()
  const rest: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const name = byFlag.get(token.rawName)
    if (name === undefined)
      problems.push(`${token.rawName}: there is no such option${didYouMean(token.rawName, [...byFlag.keys()]) || '; --help lists all'}`)
    else if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
      problems.push(`${token.rawName}: needs a value`)
    else flags.set(name, token.value)
  }
  return { flags, rest }
}

function fromEnvironment(option: Option<unknown>, environment: Environment): { readonly text: string; readonly from: string } | undefined {
  for (const from of option.environment) {
    const text = ownValue(environment, from)
    if (text !== undefined && text !== '') return { text, from }
  }
  return undefined
}

/** Formats the options of the hub or of a command as aligned lines of text for `--help`. */
export function describeOptions(options: Options): string {
  const rows = Object.entries(options).map(([name, { shape, environment, standard, doc }]) => ({
    left: `  ${flagName(name)} ${shape}`,
    right: `${doc}${standard === undefined ? '' : ` Default: ${standard}`} [${environment[0]}]`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length))
  return rows.map(({ left, right }) => `${left.padEnd(width)}  ${right}`).join('\n')
}

/** Formats the options of the hub or of a command as a Markdown table for the documentation. */
export function optionsTable(options: Options): string {
  const rows = Object.entries(options).map(
    ([name, { shape, environment, standard, doc }]) =>
      `| \`${flagName(name)} ${shape}\` | ${environment.map((one) => `\`${one}\``).join(', ')} | ${standard === undefined ? '–' : `\`${standard}\``} | ${doc} |`,
  )
  return ['| Flag | Environment | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}
