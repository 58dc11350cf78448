/** Something that a rule of the supply chain lets pass for now. */
export type Exception = {
  /** The name of what passes, such as a package or an advisory. */
  readonly about: string
  readonly reason: string
  /** The last day, `YYYY-MM-DD`. */
  readonly until: string
}

/** Packages of `package-lock.json` that pass although their licence is not on the list. */
export const licenceExceptions: readonly Exception[] = [
  {
    about: '@lix-js/sdk-linux-x64',
    reason: 'compiles messages while the dashboard is built and is not shipped; @lix-js/sdk, whose build it is, states MIT',
    until: '2027-05-31',
  },
  {
    about: '@inlang/plugin-message-format',
    reason: 'reads the messages while the dashboard is built and is not shipped; its LICENSE file is the MIT licence',
    until: '2027-05-31',
  },
  {
    about: 'caniuse-lite',
    reason: 'a table of browsers that Babel reads while Stryker makes mutants; it is not shipped, and CC-BY asks to name its source',
    until: '2027-05-31',
  },
]

/** Exceptions whose last day is before `today`, and those that have no day or no reason. */
export function expiredExceptions(exceptions: readonly Exception[], today: string): readonly string[] {
  return exceptions.flatMap(({ about, reason, until }) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(until)) return [`${about}: "until" must be a day such as 2027-05-31`]
    if (reason.trim() === '') return [`${about}: an exception needs a reason`]
    return until < today ? [`${about}: the exception ended on ${until}; remove it or decide anew`] : []
  })
}

/**
 * The exceptions of a `deny.toml`: every entry of an `ignore`, `skip`, `exceptions` or `clarify` list stands on a line of its own and
 * ends with `# REASON, until YYYY-MM-DD`.
 */
export function denyExceptions(toml: string): readonly Exception[] {
  const lists = [...toml.matchAll(/^(?:ignore|skip|skip-tree|exceptions|clarify)\s*=\s*\[([^]*?)^\]/gm)].map(([, body = '']) => body)
  return lists
    .flatMap((body) => body.split('\n'))
    .filter((line) => /[\w"{]/.test(line.replace(/#.*$/, '')))
    .map((line) => {
      const [, entry = line, reason = '', until = ''] = /^(.*?),?\s*(?:#\s*(.*?),\s*until\s+(\S+)\s*)?$/.exec(line.trim()) ?? []
      return { about: entry, reason, until }
    })
}
