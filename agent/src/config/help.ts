import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { commands } from './command-line.ts'
import { flagOf, options, type Option } from './schema.ts'

/** Returns the text that `vedette-agent --help` prints: usage, subcommands and options. */
export function helpText(): string {
  const entries = options.map((one: Option) => {
    const flags = [...(one.aliases ?? []).filter((alias) => alias.length === 1).map((alias) => `-${alias}`), `--${flagOf(one.name)}`].join(
      ', ',
    )
    return `  ${flags} <${one.kind}>   ${one.name}\n      ${one.doc}\n      Default: ${one.default}.`
  })
  return [
    `Vedette agent ${VEDETTE_VERSION}: reads this machine and answers its hub.`,
    '',
    'Without a command it runs until it is stopped. Commands:',
    ...commands.map(({ name, doc }) => `  ${name}   ${doc}`),
    '',
    'Every option is a flag and an environment name, the latter with or without the prefix VEDETTE_AGENT_.',
    '',
    ...entries,
    '  -h, --help\n      This text.',
    '  -v, --version\n      The version.',
    '',
  ].join('\n')
}

/** Returns the Markdown table of all agent options that docs/agent.md contains. */
export function helpTable(): string {
  const rows = options.map((one: Option) => `| \`${one.name}\` | \`--${flagOf(one.name)}\` | ${one.kind} | ${one.default} | ${one.doc} |`)
  return ['| Environment | Flag | Kind | Default | Meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}
