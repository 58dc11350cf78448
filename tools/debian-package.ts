import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import type { PackageArchitecture, PackageContents } from './package-contents.ts'
import { releaseSeconds, stagePackage } from './package-staging.ts'
import { run } from './run.ts'

/**
 * Options of a build of a Debian package: its content, the path of the file to write, and the compression of its files (`xz`, or `none` for
 * a quick build).
 */
type DebianPackage = { readonly contents: PackageContents; readonly output: string; readonly compression: 'xz' | 'none' }

/** Returns Debian's name of a processor type: `amd64` for `x64`, else `arm64`. */
export const debianArchitecture = (architecture: PackageArchitecture): string => (architecture === 'x64' ? 'amd64' : 'arm64')

/** Returns the file name of a Debian package of Vedette's current version, as Debian names packages: `NAME_VERSION_ARCHITECTURE.deb`. */
export const debianFileOf = ({ name, architecture }: PackageContents): string =>
  `${name}_${VEDETTE_VERSION}_${debianArchitecture(architecture)}.deb`

/**
 * Returns the maintainer scripts of a Debian package (Debian Policy, chapter 6): an object from script name, such as `postinst`, to its
 * text. A mark in `/run` distinguishes an installation from an upgrade, because `postinst` gets an old version also after a removal.
 */
const maintainerScripts = ({ name, scripts }: PackageContents): Readonly<Record<string, string>> => ({
  preinst: `#!/bin/sh
set -e
if [ "$1" != install ]; then exit 0; fi
${scripts.beforeInstall}: >/run/${name}.install
`,
  postinst: `#!/bin/sh
set -e
if [ "$1" != configure ]; then exit 0; fi
step=upgrade
if [ -e /run/${name}.install ]; then step=install; fi
rm -f /run/${name}.install
${scripts.afterInstall}`,
  prerm: `#!/bin/sh
set -e
if [ "$1" != remove ]; then exit 0; fi
${scripts.beforeRemove}`,
  postrm: `#!/bin/sh
set -e
if [ "$1" != remove ] && [ "$1" != purge ]; then exit 0; fi
${scripts.afterRemove}`,
})

const control = (
  { name, summary, description, architecture, recommends, debianLibraries }: PackageContents,
  installedKib: number,
): string => `Package: ${name}
Version: ${VEDETTE_VERSION}
Architecture: ${debianArchitecture(architecture)}
Maintainer: Vedette <maintainers@vedette.example>
Installed-Size: ${installedKib}
Section: admin
Priority: optional
${debianLibraries.length === 0 ? '' : `Depends: ${debianLibraries.join(', ')}\n`}Recommends: ${recommends.join(', ')}
Homepage: https://github.com/vedette-monitor/vedette
Description: ${summary}
${description.map((line) => ` ${line}\n`).join('')}`

/**
 * Builds a Debian package with dpkg-deb(1). Equal files give an equal package: all times are those of the last change of the version.
 * Rejects when dpkg-deb fails or is missing.
 */
export async function buildDebianPackage({ contents, output, compression }: DebianPackage): Promise<void> {
  using staged = stagePackage(contents)
  const { folder } = staged
  const bytes = contents.files.reduce((sum, { path }) => sum + statSync(join(folder, path)).size, 0)
  mkdirSync(join(folder, 'DEBIAN'), { mode: 0o755 })
  const write = (name: string, text: string, mode: number): void => writeFileSync(join(folder, 'DEBIAN', name), text, { mode })
  for (const [name, text] of Object.entries(maintainerScripts(contents))) write(name, text, 0o755)
  write('conffiles', contents.configuration.map((path) => `${path}\n`).join(''), 0o644)
  write('control', control(contents, Math.ceil(bytes / 1024)), 0o644)
  mkdirSync(dirname(output), { recursive: true })
  const environment = { SOURCE_DATE_EPOCH: String(releaseSeconds()) }
  const status = await run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', folder, output], { environment })
  if (status !== 0) throw new Error(`Cannot build ${output}: dpkg-deb ended with status ${status}`)
}
