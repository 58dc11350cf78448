import { didYouMean } from '@vedette/protocol/nearest-names'
import { flagOf, ignoredOptions, options, type Option } from './schema.ts'

/**
 * Parsed command line of the agent. `asks` is what to do: `help`, `version`, `run` (serve hubs) or a subcommand. `values` maps an option's
 * name to its text; `problems` are messages about invalid arguments.
 */
export type CommandLine =
  | { readonly asks: 'help' | 'version' }
  | { readonly asks: 'run' | Command; readonly values: ReadonlyMap<string, string>; readonly problems: readonly string[] }

/**
 * Name of a subcommand of the agent's command line, such as `health`. With a subcommand, the agent's program runs once and ends, instead of
 * serving hubs.
 */
export type Command = (typeof commands)[number]['name']

/** Name of one of the subcommands that read this machine and print the result: `doctor` or `sample`. */
export type PrintCommand = Extract<Command, 'doctor' | 'sample'>

export const commands = [
  { name: 'doctor', doc: 'Prints the findings, omissions, missing permissions and cost of each collector.' },
  { name: 'sample', doc: 'Prints one sample as JSON; names end in the units.' },
  { name: 'health', doc: 'Prints ok and ends with status 0 while an agent runs, else with 1: for the health check of a container.' },
  { name: 'fingerprint view', doc: 'Prints the fingerprint by which hubs recognise this machine.' },
  {
    name: 'fingerprint reset',
    doc: 'Removes the fingerprint and the stored proofs of hubs. The next start makes a new fingerprint and accepts a proof without a nonce again.',
  },
  { name: 'update', doc: 'Replaces this executable by a newer signed release. "update --help" lists its options.' },
] as const

const isCommand = (text: string | undefined): text is Command => commands.some(({ name }) => name === text)

/**
 * Parses the agent's command line: a subcommand first, if any, then flags as `--name value`, `--name=value`, or with one dash. A yes-or-no
 * flag needs no value. Invalid arguments become `problems`; a help or version flag after them takes precedence.
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const values = new Map<string, string>()
  const problems: string[] = []
  const command = commandIn(argv)
  for (let index = wordsIn(command); index < argv.length; index++) {
    const argument = argv[index] ?? ''
    const [, name = '', inline] = /^--?([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument) ?? []
    const question = questions.get(name)
    if (question !== undefined) return { asks: question }
    const option = optionOf(name)
    if (option === undefined) {
      problems.push(`Unknown argument "${argument}"${didYouMean(argument.replace(/=.*/s, ''), knownWords) || '; --help lists all'}`)
      continue
    }
    const value = inline ?? (standsAlone(option, argv[index + 1]) ? 'true' : argv[++index])
    if (value === undefined) problems.push(`--${name} needs a value`)
    else values.set(option.name, value)
  }
  return { asks: command ?? 'run', values, problems }
}

const wordsIn = (command: Command | undefined): number => (command === undefined ? 0 : command.split(' ').length)

/** Returns the subcommand at the start of the arguments, which has one word or two; `undefined` when there is none. */
const commandIn = (argv: readonly string[]): Command | undefined => [argv[0], argv.slice(0, 2).join(' ')].find(isCommand)

const questions: ReadonlyMap<string, 'help' | 'version'> = new Map([
  ['help', 'help'],
  ['h', 'help'],
  ['version', 'version'],
  ['v', 'version'],
])

const standsAlone = ({ kind }: Option, next: string | undefined): boolean => kind === 'flag' && next !== 'true' && next !== 'false'

/** List of the names of all subcommands and flags, to suggest one for a mistyped argument. */
const knownWords: readonly string[] = [...commands.map(({ name }) => name), ...options.map(({ name }) => `--${flagOf(name)}`)]

const laterOptions: readonly Option[] = ignoredOptions.map((name) => ({ name, kind: 'text', default: '', doc: '' }))

function optionOf(flag: string): Option | undefined {
  return [...options, ...laterOptions].find((one: Option) => flagOf(one.name) === flag || one.aliases?.includes(flag) === true)
}
