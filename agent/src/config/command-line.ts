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
    const [, name, inline] = /^--?([a-z][a-z-]*)(?:=(.*))?$/s.exec(argv[index] ?? '') ?? []
    if (name === 'help' || name === 'h') return { asks: 'help' }
    if (name === 'version' || name === 'v') return { asks: 'version' }
    const option = name === undefined ? undefined : optionOf(name)
    if (option === undefined) {
      problems.push(`Unknown argument "${argv[index]}": --help lists all`)
      continue
    }
    const standsAlone = option.kind === 'flag' && !/^(true|false)$/.test(argv[index + 1] ?? '')
    const value = inline ?? (standsAlone ? 'true' : argv[++index])
    if (value === undefined) problems.push(`--${name} needs a value`)
    else values.set(option.name, value)
  }
  return { asks: 'run', values, problems }
}

const laterOptions: readonly Option[] = notYet.map((name) => ({ name, kind: 'text', default: '', doc: '' }))

function optionOf(flag: string): Option | undefined {
  return [...options, ...laterOptions].find((one: Option) => flagOf(one.name) === flag || one.aliases?.includes(flag) === true)
}
