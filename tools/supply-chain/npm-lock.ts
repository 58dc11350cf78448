import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../rules/source-tree.ts'
import type { Exception } from './exceptions.ts'

/**
 * Entry of one package in `package-lock.json` (lockfileVersion 3): version, origin, checksum, licence, and whether it is shipped or has an
 * install script.
 */
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

/** Returns the npm packages of `package-lock.json`: an object from the path of each, such as `node_modules/ws`, to its entry. */
export function lockedPackages(): Readonly<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  } // lockfileVersion 3
  return packages
}

export type LockPolicy = {
  /** List of SPDX identifiers of the licences that are allowed for npm packages which are shipped. */
  readonly licences: readonly string[]
  /**
   * List of SPDX identifiers of further licences that are allowed, besides `licences`, for npm packages that are only used to build or
   * test.
   */
  readonly toolLicences: readonly string[]
  /** Map from the name of an npm package that must not be installed to the reason, a text. */
  readonly banned: ReadonlyMap<string, string>
  readonly exceptions: readonly Exception[]
  /**
   * List of the names of npm packages whose install script is decided in `allowScripts` of `package.json`, either allowed or denied. Any
   * other install script is a violation.
   */
  readonly decidedScripts: readonly string[]
  /** List of the workspace folders of this repository to which entries of `package-lock.json` may link. */
  readonly workspaces: readonly string[]
}

/**
 * Checks all packages of `package-lock.json` against the policy and returns one sentence for each violation. `licenceOf` takes a package's
 * path and returns the licence of the installed package, which counts where the lock file names none.
 */
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

/**
 * Returns the problems with where a package comes from: an address in the lock file, or a missing SHA-512. Each is one sentence. npm writes
 * no address for packages of the registry.
 */
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

/**
 * Returns true when an SPDX licence expression is satisfied by the `allowed` licence identifiers. It supports `A OR B`, `A AND B` and `A
 * WITH exception` without nesting.
 */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const bare = expression.replaceAll(/[()]/g, ' ').trim()
  const choices = bare.split(/\s+OR\s+/)
  return choices.some((choice) => choice.split(/\s+AND\s+/).every((one) => allowed.includes(one.trim())))
}
