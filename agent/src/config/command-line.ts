import { flagOf, notYet, options, type Option } from './schema.ts'

/** What the command line says; `values` by option name. */
export type CommandLine =
  | { readonly asks: 'help' | 'version' }
  | { readonly asks: 'run'; readonly values: ReadonlyMap<string, string>; readonly problems: readonly string[] }

/** Flags as `--name value`, `--name=value`, or with one dash; a flag of kind `flag` may stand alone. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const values = new Map<string, string>()
  const problems: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? ''
    const [, name = '', inline] = /^--?([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument) ?? []
    const question = questions.get(name)
    if (question !== undefined) return { asks: question }
    const option = optionOf(name)
    if (option === undefined) {
      problems.push(`Unknown argument "${argument}": --help lists all`)
      continue
    }
    const value = inline ?? (standsAlone(option, argv[index + 1]) ? 'true' : argv[++index])
    if (value === undefined) problems.push(`--${name} needs a value`)
    else values.set(option.name, value)
  }
  return { asks: 'run', values, problems }
}

const questions: ReadonlyMap<string, 'help' | 'version'> = new Map([
  ['help', 'help'],
  ['h', 'help'],
  ['version', 'version'],
  ['v', 'version'],
])

const standsAlone = ({ kind }: Option, next: string | undefined): boolean => kind === 'flag' && next !== 'true' && next !== 'false'

const laterOptions: readonly Option[] = notYet.map((name) => ({ name, kind: 'text', default: '', doc: '' }))

function optionOf(flag: string): Option | undefined {
  return [...options, ...laterOptions].find((one: Option) => flagOf(one.name) === flag || one.aliases?.includes(flag) === true)
}
