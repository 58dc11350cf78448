import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import type { PackageArchitecture, PackageContents } from './package-contents.ts'
import { releaseSeconds, stagePackage } from './package-staging.ts'
import { run } from './run.ts'

/**
 * Options of a build of an RPM package: its content, the path of the file to write, and the compression of its files (`xz`, or `none` for a
 * quick build).
 */
type RpmPackage = { readonly contents: PackageContents; readonly output: string; readonly compression: 'xz' | 'none' }

const rpmArchitecture = (architecture: PackageArchitecture): string => (architecture === 'x64' ? 'x86_64' : 'aarch64')

/**
 * Returns the file name of an RPM package of Vedette's current version, as Fedora names packages: `NAME-VERSION-RELEASE.ARCHITECTURE.rpm`.
 */
export const rpmFileOf = ({ name, architecture }: PackageContents): string =>
  `${name}-${VEDETTE_VERSION}-1.${rpmArchitecture(architecture)}.rpm`

/**
 * Object from the compression of an RPM package (`xz` or `none`) to the value of rpmbuild's setting `_binary_payload`, which compresses the
 * files within the package.
 */
const payloads = { xz: 'w6.xzdio', none: 'w0.gzdio' } as const

/**
 * Returns settings (macros) for rpmbuild(8), which works in the folder `work`. Executables are packaged unchanged: stripping would remove
 * the embedded program from the single executable. Times and host name are fixed per release, so that equal files give an equal package.
 */
const settings = (work: string, compression: 'xz' | 'none'): Readonly<Record<string, string>> => ({
  _topdir: work,
  _rpmdir: work,
  _rpmfilename: 'built.rpm',
  _binary_payload: payloads[compression],
  _build_id_links: 'none',
  _buildhost: 'vedette',
  __os_install_post: '%{nil}',
  debug_package: '%{nil}',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
  source_date_epoch_from_changelog: '0',
})

/**
 * Returns the text of the RPM spec file for a package whose files are in `folder`. RPM passes `$1` to its scripts, the number of versions
 * that remain installed: 1 after the first installation, 0 after a removal.
 */
function specOf({ name, summary, description, files, configuration, recommends, scripts }: PackageContents, folder: string): string {
  const listed = files.map(({ path, mode }) => {
    const kind = configuration.includes(`/${path}`) ? '%config(noreplace) ' : ''
    return `${kind}%attr(${mode.toString(8).padStart(4, '0')}, root, root) /${path}`
  })
  const own = [...new Set(files.map(({ path }) => dirname(path)).filter((path) => path.endsWith(`/${name}`)))]
  return `Name: ${name}
Version: ${VEDETTE_VERSION}
Release: 1
Summary: ${summary}
License: MIT
URL: https://github.com/vedette-monitor/vedette
Recommends: ${recommends.join(' ')}

%description
${description.join('\n')}

%install
cp -a '${folder}/.' '%{buildroot}/'

%pre
if [ "$1" != 1 ]; then exit 0; fi
${scripts.beforeInstall}
%post
if [ "$1" = 1 ]; then step=install; else step=upgrade; fi
${scripts.afterInstall}
%preun
if [ "$1" != 0 ]; then exit 0; fi
${scripts.beforeRemove}
%postun
if [ "$1" != 0 ]; then exit 0; fi
${scripts.afterRemove}
%files
${[...own.map((path) => `%dir %attr(0755, root, root) /${path}`), ...listed].join('\n')}
`
}

/**
 * Builds an RPM package with rpmbuild(8), also for other processor types than this machine's. Rejects when rpmbuild fails, or is missing
 * (Debian has it in the package `rpm`).
 */
export async function buildRpmPackage({ contents, output, compression }: RpmPackage): Promise<void> {
  using staged = stagePackage(contents)
  const work = mkdtempSync(join(tmpdir(), 'vedette-rpm-'))
  try {
    const spec = join(work, `${contents.name}.spec`)
    writeFileSync(spec, specOf(contents, staged.folder))
    const defined = Object.entries(settings(work, compression)).flatMap(([name, value]) => ['--define', `${name} ${value}`])
    const args = ['-bb', '--quiet', '--target', rpmArchitecture(contents.architecture), ...defined, spec]
    const status = await run('rpmbuild', args, { environment: { SOURCE_DATE_EPOCH: String(releaseSeconds()), LC_ALL: 'C' } })
    if (status !== 0) throw new Error(`Cannot build ${output}: rpmbuild ended with status ${status}`)
    mkdirSync(dirname(output), { recursive: true })
    copyFileSync(join(work, 'built.rpm'), output)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
