import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../rules/source-tree.ts'
import { lockProblems, type LockedPackage } from './npm-lock.ts'
import { npmPolicy } from './npm-policy.ts'

type Manifest = {
  readonly license?: string
  readonly licenses?: readonly { readonly type?: string }[]
  readonly workspaces?: readonly string[]
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest // npm's own format

/**
 * Checks the npm packages in `package-lock.json` against the project's policy (licence, origin, banned packages, install scripts) and
 * returns one sentence for each violation.
 */
export function installedProblems(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  } // lockfileVersion 3
  const { workspaces = [], allowScripts = {} } = readManifest('.')
  return lockProblems(packages, { ...npmPolicy, workspaces, decidedScripts: Object.keys(allowScripts) }, licenceOf)
}

/**
 * Returns the licence (SPDX text) that the manifest of an installed npm package names, given its path; `undefined` when it names none.
 * Older packages have a list of licences, which are joined.
 */
function licenceOf(path: string): string | undefined {
  if (!existsSync(join(root, path, 'package.json'))) return undefined
  const { license, licenses } = readManifest(path)
  return license ?? licenses?.map(({ type }) => type).join(' OR ')
}
