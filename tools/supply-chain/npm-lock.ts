import type { Exception } from './exceptions.ts'

/** The entry of one package in `package-lock.json`, as far as it is read here (lockfileVersion 3). */
export type LockedPackage = {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: true
  readonly dev?: true
  readonly devOptional?: true
  readonly hasInstallScript?: true
}

export type LockPolicy = {
  /** SPDX identifiers of what is shipped. */
  readonly licences: readonly string[]
  /** Further ones of packages that only build or test. */
  readonly toolLicences: readonly string[]
  /** Why a package is not used, by its name. */
  readonly banned: ReadonlyMap<string, string>
  readonly exceptions: readonly Exception[]
  /** Packages for which `allowScripts` of `package.json` says whether their install script runs. */
  readonly decidedScripts: readonly string[]
  /** Folders of this repository that the lock file may link to. */
  readonly workspaces: readonly string[]
}

/** Everything in the lock file that the policy forbids. `licenceOf` gives the licence of an installed package that the lock file lacks. */
export function lockProblems(
  packages: Readonly<Record<string, LockedPackage>>,
  policy: LockPolicy,
  licenceOf: (path: string) => string | undefined,
): readonly string[] {
  return Object.entries(packages).flatMap(([path, locked]) => {
    if (path === '' || policy.workspaces.includes(path)) return []
    if (locked.link === true) return policy.workspaces.includes(locked.resolved ?? '') ? [] : [`${path}: links outside of the workspaces`]
    const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const problem = (what: string) => `${path}: ${what}`
    return [
      ...originProblems(locked),
      ...licenceProblems(name, locked, policy, licenceOf(path)),
      ...(policy.banned.has(name) ? [`is banned: ${policy.banned.get(name)}`] : []),
      ...(locked.hasInstallScript === true && !policy.decidedScripts.includes(name)
        ? ['has an install script, and allowScripts says nothing of it']
        : []),
    ].map(problem)
  })
}

/** npm leaves the address out for what comes from the registry; an address is another place. */
function originProblems({ resolved, integrity }: LockedPackage): readonly string[] {
  return [
    ...(resolved === undefined ? [] : [`comes from ${resolved}, not from the registry`]),
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : ['has no SHA-512 of its content']),
  ]
}

function licenceProblems(name: string, locked: LockedPackage, policy: LockPolicy, installed: string | undefined): readonly string[] {
  if (policy.exceptions.some(({ about }) => about === name)) return []
  const isTool = locked.dev === true || locked.devOptional === true
  const allowed = isTool ? [...policy.licences, ...policy.toolLicences] : policy.licences
  const licence = locked.license ?? installed
  if (licence === undefined) return ['states no licence']
  return isAllowed(licence, allowed) ? [] : [`has the licence ${licence}`]
}

/** An SPDX expression without nested choices: `A OR B`, `A AND B`, `A WITH exception`. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const bare = expression.replaceAll(/[()]/g, ' ').trim()
  const choices = bare.split(/\s+OR\s+/)
  return choices.some((choice) => choice.split(/\s+AND\s+/).every((one) => allowed.includes(one.trim())))
}
