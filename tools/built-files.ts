import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'
import { writeBundleBill } from './supply-chain/sbom.ts'

/**
 * Definition of a part of the project that is built before it runs: its folder, sources, generator command and build configuration files.
 * Paths are relative to the project's folder.
 */
export type Build = {
  /** Name of the part of the project as messages of the build show it, such as `the dashboard`. */
  readonly name: string
  /**
   * Folder of the part of the project, relative to the repository: `agent`, `docs`, `hub` or `web`. Its build is written to the subfolder
   * `dist`.
   */
  readonly workspace: 'agent' | 'docs' | 'hub' | 'web'
  /**
   * Command (program and arguments) that generates some source files. It runs in the repository's folder before the build; absent when
   * nothing is generated.
   */
  readonly generate?: readonly [program: string, ...args: readonly string[]]
  /** List of the file names of the Vite configurations to build, in this order; only `vite.config.ts` when absent. */
  readonly configurations?: readonly string[]
  /**
   * List of glob patterns of all files that the build reads. `package-lock.json`, which represents the installed packages, is always
   * included.
   */
  readonly inputs: readonly string[]
  /**
   * Regular expression for paths among `inputs` whose changes cause no new build: files that the build does not read or that it generates
   * itself.
   */
  readonly except: RegExp
  /** Function that is called after a successful build, for example to write a checksum; absent for none. */
  readonly finish?: () => void
}

/**
 * Builds a part of the project, unless its `dist` was already built from sources with the same checksum. Prints a line only when it builds.
 * Rejects when the build fails.
 */
export async function ensureBuilt(build: Build): Promise<void> {
  const stamp = stampOf(build)
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint(build)) await buildNow(build)
}

export async function buildNow(build: Build): Promise<void> {
  const startedAtMs = Date.now()
  process.stderr.write(`Building ${build.name}\n`)
  if (build.generate !== undefined) {
    const [program, ...args] = build.generate
    const status = await run(program, args)
    if (status !== 0) throw new Error(`Cannot build ${build.name}: ${program} ended with status ${status}`)
  }
  for (const configuration of build.configurations ?? ['vite.config.ts']) {
    const status = await run('vite', ['build', '--config', configuration, '--logLevel', 'error'], { cwd: join(root, build.workspace) })
    if (status !== 0) throw new Error(`Cannot build ${build.name}: the build ended with status ${status}`)
  }
  writeBundleBill(build.workspace)
  build.finish?.()
  mkdirSync(dirname(stampOf(build)), { recursive: true })
  writeFileSync(stampOf(build), fingerprint(build))
  process.stderr.write(`Built ${build.name} in ${seconds(startedAtMs)}\n`)
}

const stampOf = ({ workspace }: Build): string => join(root, workspace, 'dist', '.built-from')

/**
 * Returns the SHA-256, in hexadecimal digits, of the paths and contents of all files that a build reads. An equal value means that no new
 * build is needed.
 */
export function fingerprint({ inputs, except }: Pick<Build, 'inputs' | 'except'>): string {
  const hash = createHash('sha256')
  const paths = globSync([...inputs, 'package-lock.json'], { cwd: root, exclude: (path: string) => except.test(path) })
  for (const path of paths.toSorted()) {
    if (statSync(join(root, path)).isFile()) hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}
