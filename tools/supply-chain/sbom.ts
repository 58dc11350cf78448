import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VEDETTE_VERSION } from '../../protocol/src/wire/version.ts'
import { BUNDLED, type Ingredient } from '../crate-notices.ts'
import { root } from '../rules/source-tree.ts'
import { lockedPackages, type LockedPackage } from './npm-lock.ts'

/**
 * Third-party component (package or crate) of a built program, for the bill of materials. `sha256` and `sha512` are checksums of the
 * registry's archive, in hexadecimal digits.
 */
export type Component = {
  readonly kind: 'npm' | 'cargo' | 'generic'
  readonly name: string
  /** Version of the component; absent if it is only a part of another component, or comes from the build machine. */
  readonly version?: string
  /** Licence of the component as SPDX expression; absent when the component states it only in words. */
  readonly license?: string
  readonly sha256?: string
  readonly sha512?: string
}

/**
 * Returns a software bill of materials (CycloneDX 1.6 JSON text) that lists the components of `program`. Equal components give equal text.
 */
export function billOfMaterials(program: string, components: readonly Component[]): string {
  const listed = components.map(describe).toSorted((one, other) => (one.purl < other.purl ? -1 : one.purl > other.purl ? 1 : 0))
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': program,
        name: program,
        version: VEDETTE_VERSION,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: listed,
    dependencies: [{ ref: program, dependsOn: listed.map((one) => one['bom-ref']) }],
  }
  return `${JSON.stringify(bom, undefined, 2)}\n`
}

function describe({ kind, name, version, license, sha256, sha512 }: Component) {
  const purl = `pkg:${kind}/${name.split('/').map(encodeURIComponent).join('/')}${version === undefined ? '' : `@${encodeURIComponent(version)}`}`
  const hashes = [
    ...(sha256 === undefined ? [] : [{ alg: 'SHA-256', content: sha256 }]),
    ...(sha512 === undefined ? [] : [{ alg: 'SHA-512', content: sha512 }]),
  ]
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    ...(version === undefined ? {} : { version }),
    purl,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(hashes.length === 0 ? {} : { hashes }),
  }
}

/** Regular expression that matches the heading of a package in the bundler's notices: `## name - version (licence)`. */
const HEADING = /^## (\S+) - (\S+?)(?: \((.+)\))?$/gm

/**
 * Parses the licence notices of a bundle and returns the npm packages in it, with their checksums from `package-lock.json`. Throws for a
 * package that is not in the lock file.
 */
export function bundledPackages(notices: string, packages: Readonly<Record<string, LockedPackage>>): readonly Component[] {
  const locked = new Map(
    Object.entries(packages).map(([path, one]) => {
      const name = one.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return [`${name}@${one.version ?? ''}`, one]
    }),
  )
  const found = [...notices.matchAll(HEADING)].map(([, name = '', version = '', license]): [string, Component] => {
    const integrity = locked.get(`${name}@${version}`)?.integrity
    if (integrity === undefined) throw new Error(`Cannot list what is in the bundle: the lock file has no ${name} ${version}`)
    const sha512 = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
    return [`${name}@${version}`, { kind: 'npm', name, version, ...(license === undefined ? {} : { license }), sha512 }]
  })
  return [...new Map(found).values()]
}

/**
 * Returns the crates and libraries that are linked into the native agent as components for the bill of materials, with the checksums of the
 * text `cargoLock` (`Cargo.lock`).
 */
export function linkedCrates(ingredients: readonly Ingredient[], cargoLock: string): readonly Component[] {
  const checksums = new Map(
    [...cargoLock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = ".*"\nchecksum = "(\w+)"$/gm)].map(([, name, version, sum]) => [
      `${name} ${version}`,
      sum,
    ]),
  )
  return ingredients.flatMap(({ name: full, license }): readonly Component[] => {
    const [, name = full, version] = /^(\S+) (\d\S*)$/.exec(full) ?? []
    const sha256 = checksums.get(full)
    const stated = license.startsWith('see ') ? {} : { license }
    const one: Component = { kind: sha256 === undefined ? 'generic' : 'cargo', name, ...stated }
    const inside = (BUNDLED[name] ?? []).map((bundled): Component => ({ kind: 'generic', name: bundled }))
    return [{ ...one, ...(version === undefined ? {} : { version }), ...(sha256 === undefined ? {} : { sha256 }) }, ...inside]
  })
}

/** Name of a folder of the repository whose build in `dist` is a bundle: `agent`, `docs`, `hub` or `web`. */
type Bundled = 'agent' | 'docs' | 'hub' | 'web'

/**
 * Writes the bill of materials (list of third-party components) of a workspace's bundle into its `dist`. For dashboard and documents the
 * file name begins with a dot, because the hub does not serve such files.
 */
export function writeBundleBill(workspace: Bundled): void {
  const folder = join(root, workspace, 'dist')
  const notices = globSync('**/licenses.txt', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'))
  const name = workspace === 'web' ? 'dashboard' : workspace === 'docs' ? 'documents' : workspace
  writeFileSync(
    join(folder, billName(workspace)),
    billOfMaterials(`vedette-${name}`, bundledPackages(notices.join('\n'), lockedPackages())),
  )
}

/**
 * Returns the file name of the bill of materials for a workspace's bundle. For `web` and `docs` it begins with a dot, so that the hub does
 * not serve the file to browsers.
 */
export const billName = (workspace: Bundled): string => (workspace === 'web' || workspace === 'docs' ? '.sbom.cdx.json' : 'sbom.cdx.json')
