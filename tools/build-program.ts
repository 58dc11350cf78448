import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createHash } from 'node:crypto'
import { ensureAgent } from './build-agent.ts'
import { fingerprint } from './built-files.ts'
import { ensureDashboard } from './dashboard.ts'
import { ensureDocuments } from './documents.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

/** Options of a build of the single executable: the Node.js program to build on, the output file, and the key that verifies updates. */
type ProgramBuild = {
  /** Path of the Node.js executable into which the hub's program is embedded. Its version must equal that of this process. */
  readonly node: string
  /** Path of the single executable to write. Its checksum is written beside it. */
  readonly output: string
  /**
   * Path of the public key file (minisign) with which the built program verifies releases on update. Without it, the program cannot verify
   * any.
   */
  readonly releaseKey?: string | undefined
}

const programFolder = join(root, 'program')
/** Path of the single executable for this machine's architecture, which `npm run build:program` writes. */
export const ownProgram = join(programFolder, 'dist', 'vedette')

/** Path of the file with the licence text of Node.js, inside the npm package that contains the Node.js executable. */
const nodeLicense = join(root, 'node_modules', `node-linux-${process.arch}`, 'LICENSE')

/**
 * List of the paths of the scripts inside the single executable, relative to the repository: the main program, and each worker thread
 * module of the hub.
 */
const scripts = ['program/main.ts', ...globSync('hub/src/**/*-thread.ts', { cwd: root })]

/**
 * Glob patterns of the source files (and of exceptions among them) from which the scripts of the single executable are built. A change in
 * one causes a new build.
 */
const inputs = {
  inputs: ['hub/src/**', 'agent/src/**', 'protocol/src/**', 'program/**/*.ts', 'tools/ascii-chunks.ts'],
  except: /\.test\.ts$|\/fixtures\/|^program\/dist\//,
}
const stamp = join(programFolder, 'dist', '.built-from')

/**
 * Builds the parts of the single executable: its scripts, the dashboard, the documents and the agent for Node.js. A part whose sources have
 * not changed is not built again. Call it before several processes call {@link writeProgram} at the same time.
 */
export async function ensureProgramParts(): Promise<void> {
  await ensureDashboard()
  await ensureDocuments()
  await ensureAgent()
  const sources = fingerprint(inputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  for (const script of scripts) {
    const status = await run('vite', ['build', '--config', 'vite.config.ts', '--mode', script], { cwd: programFolder })
    if (status !== 0) throw new Error(`Cannot build ${script}: the build ended with status ${status}`)
  }
  writeFileSync(stamp, sources)
}

/**
 * Writes the single executable to `output`, and its checksum to a file beside it. The executable has Node.js, the program, the dashboard,
 * the documents and the built agents inside. Native agents are included only if they were built before. Rejects when a step fails.
 */
export async function writeProgram({ node, output, releaseKey }: ProgramBuild): Promise<void> {
  await ensureProgramParts()
  const dist = join(programFolder, 'dist')
  const configuration = {
    // Relative, because the executable contains this path: equal sources in two folders give equal files.
    main: 'main.mjs',
    mainFormat: 'module',
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    execArgv: [],
    // The program gives itself the flags of its command, see program/main.ts. NODE_OPTIONS of the machine is not for it.
    execArgvExtension: 'cli',
    assets: { ...assets(dist), ...(releaseKey === undefined ? {} : { 'release/key.pub': releaseKey }) },
  }
  mkdirSync(dirname(output), { recursive: true })
  const file = `${output}.json`
  writeFileSync(file, JSON.stringify(configuration))
  const status = await run(process.execPath, ['--build-sea', file], { cwd: dist })
  rmSync(file)
  if (status !== 0) throw new Error(`Cannot build ${output}: Node.js ended with status ${status}`)
  chmodSync(output, 0o755)
  writeFileSync(`${output}.sha256`, `${createHash('sha256').update(readFileSync(output)).digest('hex')}  ${basename(output)}\n`)
}

/**
 * Returns the licence notices of everything in the executable as text: Node.js, each bundled package once, and the crates of the native
 * agent if it was built. Call it after {@link ensureProgramParts}.
 */
export function programNotices(): string {
  const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8')
  const bundles = [
    ...scripts.map((script) => read('program', 'dist', `licenses-${basename(script, '.ts')}.txt`)),
    read('agent', 'dist', 'licenses.txt'),
    ...globSync('{web,docs}/dist/**/licenses.txt', { cwd: root }).map((path) => read(path)),
  ]
  const packages = new Set(bundles.flatMap((text) => text.split(/^(?=## )/m).slice(1)).map((one) => `${one.trimEnd()}\n`))
  const native = globSync('native/dist/licenses.txt', { cwd: join(root, 'agent') }).map((path) => read('agent', path))
  return ['# Licenses\n', `# Node.js\n\n${readFileSync(nodeLicense, 'utf8')}`, ...[...packages].toSorted(), ...native].join('\n')
}

/**
 * Returns the files to embed in the single executable: an object from the name under which the program reads the file to its path on this
 * machine. `dist` is the folder with the built scripts.
 */
function assets(dist: string): Readonly<Record<string, string>> {
  const threads = scripts.slice(1).map((script) => `${basename(script, '.ts')}.mjs`)
  const built = (folder: string) => globSync('**/*', { cwd: join(root, folder, 'dist') }).filter((name) => !/(^|\/)\./.test(name))
  const agents = globSync(
    ['dist/vedette-agent.mjs*', 'dist/licenses.txt', 'native/dist/vedette-agent-linux-*', 'native/dist/licenses.txt'],
    {
      cwd: join(root, 'agent'),
    },
  ).filter((name) => !name.endsWith('.json'))
  const named = [
    ...threads.map((name) => [`threads/${name}`, join(dist, name)]),
    ...['web', 'docs'].flatMap((folder) => built(folder).map((name) => [`${folder}/${name}`, join(root, folder, 'dist', name)] as const)),
    ...agents.map((name) => [`agent/${name}`, join(root, 'agent', name)]),
  ] as const
  // In one order everywhere, so that two builds are equal.
  const files = named.filter(([, path = '']) => statSync(path).isFile()).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return Object.fromEntries(files)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { node: { type: 'string', default: process.execPath }, output: { type: 'string', default: ownProgram } },
  })
  const startedAtMs = Date.now()
  await writeProgram({ node: resolve(values.node), output: resolve(values.output) })
  console.log(`${values.output}  ${(statSync(values.output).size / 1e6).toFixed(1)} MB, took ${seconds(startedAtMs)}`)
}
