import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { agentFileOf, commentOf, programFileOf, SUMS } from '../program/update/release-files.ts'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { writeProgram, programNotices } from './build-program.ts'
import { buildDebianPackage, debianFileOf } from './debian-package.ts'
import { nativeFolder, releasedNativeAgent } from './native-agent.ts'
import { writeImages } from './images/release-images.ts'
import { packNpmPackages } from './npm-packages.ts'
import { agentPackage, hubPackage, type PackageArchitecture } from './package-contents.ts'
import { root } from './rules/source-tree.ts'
import { installerOf } from './installer.ts'
import { buildRpmPackage, rpmFileOf } from './rpm-package.ts'
import { run } from './run.ts'
import { lockedPackages } from './supply-chain/npm-lock.ts'
import { billOfMaterials, bundledPackages } from './supply-chain/sbom.ts'

/** Options of `npm run release`: the output folder, the architectures, the keys that sign the files, and whether it is a quick trial. */
type ReleaseOptions = {
  /** Path of the folder to write the release to; an existing folder is replaced. */
  readonly folder: string
  /** List of the architectures to release for, by Node's names (`x64`, `arm64`). */
  readonly architectures: readonly PackageArchitecture[]
  /**
   * Object with the paths of the secret and the public key file (minisign) with which the release is signed. The secret key has no
   * password.
   */
  readonly keys: { readonly secret: string; readonly public: string }
  /** True for a trial release: native agents are not optimised, and packages are not compressed. */
  readonly isQuick: boolean
}

/**
 * Writes the folder of a release: executables of hub and agent, their Debian, RPM and npm packages, and container images. It adds the
 * install script, notes, licence notices, a bill of materials, checksums with their signature, and the public key. Rejects when a step
 * fails, or when the native agents were not built with that key.
 */
export async function writeRelease({ folder, architectures, keys, isQuick }: ReleaseOptions): Promise<void> {
  const compression = isQuick ? 'none' : 'xz'
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const architecture of architectures) {
    const program = join(folder, programFileOf(architecture))
    await writeProgram({ node: nodeExecutable(architecture), output: program, releaseKey: keys.public })
    const agent = join(folder, agentFileOf(architecture))
    copyFileSync(releasedNativeAgent(architecture, keys.public, isQuick ? 'dev' : 'release'), agent)
    const agentNotices = readFileSync(join(nativeFolder, 'licenses.txt'), 'utf8')
    for (const contents of [
      hubPackage({ program, architecture, notices: programNotices() }),
      agentPackage({ program: agent, architecture, notices: agentNotices }),
    ]) {
      await buildDebianPackage({ contents, output: join(folder, debianFileOf(contents)), compression })
      await buildRpmPackage({ contents, output: join(folder, rpmFileOf(contents)), compression })
    }
    writeImages(folder, { program, architecture, isFresh: !isQuick })
  }
  packNpmPackages(
    architectures.map((architecture) => ({ architecture, path: join(folder, programFileOf(architecture)) })),
    folder,
  )
  writeFileSync(join(folder, 'install.sh'), installerOf(readFileSync(keys.public, 'utf8')), { mode: 0o755 })
  const notices = programNotices()
  writeFileSync(join(folder, 'licenses.txt'), notices)
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials('vedette', bundledPackages(notices, lockedPackages())))
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), VEDETTE_VERSION))
  copyFileSync(keys.public, join(folder, 'vedette.pub'))
  const sums = readdirSync(folder)
    .toSorted()
    .filter((name) => !name.endsWith('.sha256'))
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, SUMS), sums.join(''))
  for (const name of readdirSync(folder)) if (name.endsWith('.sha256')) rmSync(join(folder, name))
  execFileSync('minisign', ['-S', '-s', keys.secret, '-m', join(folder, SUMS), '-t', commentOf(VEDETTE_VERSION)], { stdio: 'ignore' })
}

/**
 * Returns the release notes of a version: the heading `# Vedette VERSION`, then the text of its section in the change log (`changes`,
 * Markdown). Throws an Error when there is no such section.
 */
export function notesOf(changes: string, version: string): string {
  const [, entries] = new RegExp(`^## ${version.replaceAll('.', '\\.')}, .*\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(changes) ?? []
  if (entries === undefined) throw new Error(`CHANGELOG.md has no version ${version}`)
  return `# Vedette ${version}\n${entries.trimEnd()}\n`
}

/**
 * Returns the path of a Node.js executable for an architecture, of the version that runs this process. It is this process's own, or one of
 * an npm package, which npm downloads once. Throws an Error when `package-lock.json` has another version or checksum of that package.
 */
export function nodeExecutable(architecture: PackageArchitecture): string {
  if (architecture === process.arch) return process.execPath
  const name = `node-linux-${architecture}`
  const { version, integrity = '' } = lockedPackages()[`node_modules/${name}`] ?? {}
  if (version !== process.versions.node)
    throw new Error(`Cannot build for ${architecture}: the lock file has no ${name} ${process.versions.node}`)
  const cache = join(root, 'node_modules', '.cache', `${name}-${version}`)
  const program = join(cache, 'package', 'bin', 'node')
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache], { stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = join(cache, `${name}-${version}.tgz`)
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (sum !== integrity) throw new Error(`Cannot build for ${architecture}: the checksum of ${name} is not that of the lock file`)
  execFileSync('tar', ['-xzf', archive, '-C', cache, 'package/bin/node'])
  return program
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      arch: { type: 'string', multiple: true, default: ['x64', 'arm64'] },
    },
  })
  if (!values['dry-run']) {
    console.error(
      'Nothing is published yet. Use "npm run release -- --dry-run": it writes the folder of a release, signed with a key of its own.',
    )
    process.exitCode = 2
  } else if (spawnSync('minisign', ['-v']).status !== 0) {
    console.error('Cannot sign: minisign is not installed, for example with "apt-get install minisign"')
    process.exitCode = 1
  } else {
    // The pair stays for the next trial, because building the native agents with another key takes minutes.
    const keys = join(root, 'node_modules', '.cache', 'release-keys')
    mkdirSync(keys, { recursive: true, mode: 0o700 })
    const pair = { secret: join(keys, 'secret'), public: join(keys, 'public') }
    if (!existsSync(pair.public)) execFileSync('minisign', ['-G', '-W', '-p', pair.public, '-s', pair.secret], { stdio: 'ignore' })
    const folder = join(root, 'release', VEDETTE_VERSION)
    // A quick build of the native agent is only for this machine.
    const architectures = (['x64', 'arm64'] as const).filter((one) => (values.quick ? one === process.arch : values.arch.includes(one)))
    const build = ['run', '--silent', 'build:agent:native', ...(values.quick ? ['--', '--quick'] : [])]
    const status = await run('npm', build, { environment: { VEDETTE_RELEASE_KEY: pair.public } })
    if (status !== 0) throw new Error(`Cannot build the native agents: the build ended with status ${status}`)
    await writeRelease({ folder, architectures, keys: pair, isQuick: values.quick })
    console.log(`${folder}\n${readFileSync(join(folder, SUMS), 'utf8')}`)
  }
}
