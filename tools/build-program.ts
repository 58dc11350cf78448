import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createHash } from 'node:crypto'
import { ensureAgent } from './build-agent.ts'
import { ensureDashboard } from './dashboard.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

/** Options of a build of the single executable. */
type ProgramBuild = {
  /** Path of the Node.js executable to put the program into; its version equals that of this process. */
  readonly node: string
  /** Path of the executable to write. */
  readonly output: string
}

const programFolder = join(root, 'program')
/** Path of the single executable for this machine, which `npm run build:program` writes. */
export const ownProgram = join(programFolder, 'dist', 'vedette')

/** Paths of the scripts within the executable, below the project's folder: the program, and the modules of the hub's worker threads. */
const scripts = ['program/main.ts', ...globSync('hub/src/**/*-thread.ts', { cwd: root })]

/**
 * Builds the single executable: Node.js with the program, the dashboard and the built agents inside. Native agents are included when they
 * were built before. Rejects when a step fails.
 */
export async function buildProgram({ node, output }: ProgramBuild): Promise<void> {
  await ensureDashboard()
  await ensureAgent()
  for (const script of scripts) {
    const status = await run('vite', ['build', '--config', 'vite.config.ts', '--mode', script], { cwd: programFolder })
    if (status !== 0) throw new Error(`Cannot build ${script}: the build ended with status ${status}`)
  }
  const dist = join(programFolder, 'dist')
  const configuration = {
    main: join(dist, 'main.mjs'),
    mainFormat: 'module',
    executable: node,
    output,
    disableExperimentalSEAWarning: true,
    execArgv: [],
    // The program gives itself the flags of its command, see program/main.ts. NODE_OPTIONS of the machine is not for it.
    execArgvExtension: 'cli',
    assets: assets(dist),
  }
  const file = join(dist, 'sea.json')
  writeFileSync(file, JSON.stringify(configuration, undefined, 2))
  mkdirSync(join(output, '..'), { recursive: true })
  const status = await run(process.execPath, ['--build-sea', file])
  if (status !== 0) throw new Error(`Cannot build ${output}: Node.js ended with status ${status}`)
  chmodSync(output, 0o755)
  writeFileSync(`${output}.sha256`, `${createHash('sha256').update(readFileSync(output)).digest('hex')}  ${basename(output)}\n`)
}

/** Returns the files within the executable: a map from the name by which the program finds it to the path on this machine. */
function assets(dist: string): Readonly<Record<string, string>> {
  const threads = scripts.slice(1).map((script) => `${basename(script, '.ts')}.mjs`)
  const pages = globSync('**/*', { cwd: join(root, 'web', 'dist') }).filter((name) => !/(^|\/)\./.test(name))
  const agents = globSync(
    ['dist/vedette-agent.mjs*', 'dist/licenses.txt', 'native/dist/vedette-agent-linux-*', 'native/dist/licenses.txt'],
    {
      cwd: join(root, 'agent'),
    },
  ).filter((name) => !name.endsWith('.json'))
  const named = [
    ...threads.map((name) => [`threads/${name}`, join(dist, name)]),
    ...pages.map((name) => [`web/${name}`, join(root, 'web', 'dist', name)]),
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
  await buildProgram(values)
  console.log(`${values.output}  ${(statSync(values.output).size / 1e6).toFixed(1)} MB, took ${seconds(startedAtMs)}`)
}
