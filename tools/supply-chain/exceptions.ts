/** Exception to a rule for third-party packages (allowed licences, no known vulnerability), valid until a given day and with a reason. */
export type Exception = {
  /** Name of the package to which the exception applies, or id of the security advisory that it ignores. */
  readonly about: string
  readonly reason: string
  /** Last day on which an exception to the rules for third-party packages is valid, `YYYY-MM-DD`. Afterwards, the check fails. */
  readonly until: string
}

/** List of exceptions to the list of allowed licences, for npm packages in `package-lock.json`. */
export const licenceExceptions: readonly Exception[] = [
  {
    about: 'argparse',
    reason: 'reads front matter for Eleventy while the documents are built and is not shipped; Python-2.0 only requires its notice',
    until: '2027-05-31',
  },
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

/** Returns a list with one sentence for each exception that ended before `today` (`YYYY-MM-DD`), or has no valid day or no reason. */
export function expiredExceptions(exceptions: readonly Exception[], today: string): readonly string[] {
  return exceptions.flatMap(({ about, reason, until }) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(until)) return [`${about}: "until" must be a day such as 2027-05-31`]
    if (reason.trim() === '') return [`${about}: an exception needs a reason`]
    return until < today ? [`${about}: the exception ended on ${until}; remove it or decide anew`] : []
  })
}

/**
 * Parses the exceptions of a `deny.toml` and returns them. Every entry of an `ignore`, `skip`, `exceptions` or `clarify` list is on its own
 * line and ends with `# REASON, until YYYY-MM-DD`.
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
