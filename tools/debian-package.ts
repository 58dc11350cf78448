import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { programNotices } from './build-program.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

/** Options of a Debian package of the single executable. */
type DebianPackage = {
  /** Path of the executable `vedette` to put into the package. */
  readonly program: string
  /** Architecture by Debian's name. */
  readonly architecture: 'amd64' | 'arm64'
  /** Path of the package to write, such as `release/vedette_0.1.0_amd64.deb`. */
  readonly output: string
  /** Compression of the package's files, as dpkg-deb(1) names it. */
  readonly compression: 'xz' | 'none'
}

const sources = join(root, 'program', 'packages')

/** Files of the Debian package, as triples: path on the machine, path of the file here, and its mode. */
const installedFiles = [
  ['lib/systemd/system/vedette.service', join(sources, 'vedette.service'), 0o644],
  ['etc/vedette/vedette.env', join(sources, 'vedette.env'), 0o640],
  ['usr/share/doc/vedette/copyright', join(root, 'LICENSE'), 0o644],
] as const

/** Maintainer scripts of the package (Debian Policy, chapter 6), by name. The data folder stays when the package is removed or purged. */
const scripts: Readonly<Record<string, string>> = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable vedette.service
  systemctl restart vedette.service
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now vedette.service
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ] && [ -d /var/lib/private/vedette ]; then
  echo 'The data of Vedette is still in /var/lib/private/vedette. To delete it: rm -r /var/lib/private/vedette /var/lib/vedette'
fi
`,
}

const control = (architecture: string, installedKib: number): string => `Package: vedette
Version: ${VEDETTE_VERSION}
Architecture: ${architecture}
Maintainer: Vedette <maintainers@vedette.example>
Installed-Size: ${installedKib}
Section: admin
Priority: optional
Recommends: ca-certificates
Suggests: postgresql-client
Homepage: https://github.com/vedette-monitor/vedette
Description: self-hosted server monitoring
 The hub of Vedette: it collects the metrics of machines from their agents,
 stores their history, sends alerts, and serves the dashboard. The file
 also contains the agent and the command line tool.
`

/**
 * Builds a Debian package with dpkg-deb(1). Equal files give an equal package: all times are those of the last change of the version.
 * Rejects when dpkg-deb fails or is missing.
 */
export async function buildDebianPackage({ program, architecture, output, compression }: DebianPackage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-deb-'))
  try {
    const put = (path: string, source: string, mode: number): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o755 })
      copyFileSync(source, join(folder, path))
      chmodSync(join(folder, path), mode)
    }
    for (const [path, source, mode] of installedFiles) put(path, source, mode)
    put('usr/bin/vedette', program, 0o755)
    writeFileSync(join(folder, 'usr/share/doc/vedette/third-party-licenses'), programNotices(), { mode: 0o644 })
    mkdirSync(join(folder, 'DEBIAN'))
    for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, 'DEBIAN', name), text, { mode: 0o755 })
    writeFileSync(join(folder, 'DEBIAN', 'conffiles'), '/etc/vedette/vedette.env\n')
    writeFileSync(join(folder, 'DEBIAN', 'control'), control(architecture, Math.ceil(statSync(program).size / 1024)))
    chmodSync(folder, 0o755)
    mkdirSync(dirname(output), { recursive: true })
    const environment = { SOURCE_DATE_EPOCH: String(releaseSeconds()) }
    const status = await run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', folder, output], { environment })
    if (status !== 0) throw new Error(`Cannot build ${output}: dpkg-deb ended with status ${status}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the time of the release that the change log names, in epoch seconds; of 2026-01-01 for a version that is not released yet. */
export function releaseSeconds(): number {
  const [, date = '2026-01-01'] = /^## \S+, (\d{4}-\d{2}-\d{2})$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? []
  return Date.parse(`${date}T00:00:00Z`) / 1000
}
