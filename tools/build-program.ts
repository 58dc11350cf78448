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

/** Options of a build of the single executable. */
type ProgramBuild = {
  /** Path of the Node.js executable to put the program into; its version equals that of this process. */
  readonly node: string
  /** Path of the executable to write. */
  readonly output: string
  /** Path of the public key of releases, in the minisign format, by which the program verifies updates; none by default. */
  readonly releaseKey?: string | undefined
}

const programFolder = join(root, 'program')
/** Path of the single executable for this machine, which `npm run build:program` writes. */
export const ownProgram = join(programFolder, 'dist', 'vedette')

/** Path of the licence text of the Node.js executable, in its npm package. */
const nodeLicense = join(root, 'node_modules', `node-linux-${process.arch}`, 'LICENSE')

/** Paths of the scripts within the executable, below the project's folder: the program, and the modules of the hub's worker threads. */
const scripts = ['program/main.ts', ...globSync('hub/src/**/*-thread.ts', { cwd: root })]

/** Files that the scripts are built from. */
const inputs = {
  inputs: ['hub/src/**', 'agent/src/**', 'protocol/src/**', 'program/**/*.ts', 'tools/ascii-chunks.ts'],
  except: /\.test\.ts$|\/fixtures\/|^program\/dist\//,
}
const stamp = join(programFolder, 'dist', '.built-from')

/**
 * Builds what the executable is made of: its scripts, the dashboard, the documents and the agent for Node.js. Files that were built from
 * exactly these sources stay. Call it before several processes call {@link writeProgram} at the same time.
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
 * Writes the single executable: Node.js with the program, the dashboard, the documents and the built agents inside, and its checksum beside it. Native
 * agents are included when they were built before. Rejects when a step fails.
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

/** Returns the files within the executable: a map from the name by which the program finds it to the path on this machine. */
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
