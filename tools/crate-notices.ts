import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Output of `cargo metadata` (dependency list of a Rust crate), with only the fields that the build's licence notices need. */
type Metadata = {
  readonly packages: readonly CratePackage[]
  readonly resolve: {
    readonly root: string
    readonly nodes: readonly {
      readonly id: string
      readonly deps: readonly { readonly pkg: string; readonly dep_kinds: readonly { readonly kind: string | null }[] }[]
    }[]
  }
}

type CratePackage = {
  readonly id: string
  readonly name: string
  readonly version: string
  /** SPDX expression of the crate's licence, from `cargo metadata`; null when its manifest names none. */
  readonly license: string | null
  readonly repository: string | null
  readonly manifest_path: string
  readonly targets: readonly { readonly kind: readonly string[] }[]
}

/**
 * Component of the native agent's executable, such as a crate: name, SPDX licence, address of its source, and the texts of its licence
 * files.
 */
export type Ingredient = { readonly name: string; readonly license: string; readonly source: string; readonly texts: readonly string[] }

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i

/** Object from a crate's name to the list of those of its folders that contain code of other authors, whose licences are needed too. */
export const BUNDLED: Readonly<Record<string, readonly string[]>> = { 'rquickjs-sys': ['quickjs'] }

const MOST_METADATA_BYTES = 64 * 1024 * 1024

/**
 * Returns all components that are linked into an executable for the target, sorted by name: the C library, Rust's, and crates. Crates come
 * from `cargo metadata`, without build-only ones.
 */
export function ingredientsOf(crate: string, triple: string): readonly Ingredient[] {
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', triple]
  const text = execFileSync('cargo', args, { cwd: crate, encoding: 'utf8', maxBuffer: MOST_METADATA_BYTES })
  const metadata = JSON.parse(text) as Metadata // as cargo documents it
  const linked = linkedPackages(metadata).filter(({ id }) => id !== metadata.resolve.root)
  return [...linked.map(readCrate), rustLibrary(), cLibrary()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

function linkedPackages({ packages, resolve }: Metadata): readonly CratePackage[] {
  const byId = new Map(packages.map((one) => [one.id, one]))
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const reached = new Set<string>()
  const visit = (id: string): void => {
    const found = byId.get(id)
    if (reached.has(id) || found === undefined || found.targets.some(({ kind }) => kind.includes('proc-macro'))) return
    reached.add(id)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) if (kinds.some(({ kind }) => kind === null)) visit(pkg)
  }
  visit(resolve.root)
  return packages.filter(({ id }) => reached.has(id))
}

function readCrate({ name, version, license, repository, manifest_path: manifest }: CratePackage): Ingredient {
  const folder = dirname(manifest)
  const own = licenceTexts(folder)
  const others = (BUNDLED[name] ?? []).flatMap((bundled) => licenceTexts(join(folder, bundled)))
  const source = `https://crates.io/crates/${name}`
  return { name: `${name} ${version}`, license: license ?? 'see the text', source: repository ?? source, texts: [...own, ...others] }
}

/**
 * Returns a list with the texts of the licence files in a folder. If a file has `MIT` in its name, only such files are read, because a
 * crate with several licences lets its user choose one.
 */
function licenceTexts(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name))
  const chosen = files.filter((name) => /mit/i.test(name))
  return (chosen.length > 0 ? chosen : files).toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim())
}

function rustLibrary(): Ingredient {
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
  const texts = readFirst([join(sysroot, 'share/doc/rust/LICENSE-MIT'), join(sysroot, 'share/doc/rust/licenses/MIT.txt')])
  return { name: 'Rust standard library', license: 'MIT OR Apache-2.0', source: 'https://github.com/rust-lang/rust', texts }
}

function cLibrary(): Ingredient {
  return { name: 'musl', license: 'MIT', source: 'https://musl.libc.org', texts: readFirst(['/usr/share/doc/musl/copyright']) }
}

/** Returns the text of the first of the files `paths` that exists, as a list of one text; an empty list when none exists. */
const readFirst = (paths: readonly string[]): readonly string[] =>
  paths
    .filter((path) => existsSync(path))
    .slice(0, 1)
    .map((path) => readFileSync(path, 'utf8').trim())

/**
 * Returns the text of the licence notices: all components of the executable, and each licence text once with the names of the components
 * that it applies to.
 */
export function noticesText(ingredients: readonly Ingredient[]): string {
  const lines = ingredients.map(({ name, license, source }) => `${name}: ${license}, ${source}`)
  const namesOf = new Map<string, string[]>()
  for (const { name, texts } of ingredients) for (const text of texts) namesOf.set(text, [...(namesOf.get(text) ?? []), name])
  const texts = [...namesOf].map(([text, names]) => `${names.join(', ')}\n\n${text}`)
  return `${['The executable of the Vedette agent holds these works of others.', lines.join('\n'), ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
