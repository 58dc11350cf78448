import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nativeAgent, nativeFolder } from './native-agent.ts'
import { noteBuilt, type Profile } from './note-built.ts'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

/** One executable for each architecture; static, so for every Linux. */
const targets = [
  { arch: 'x64', triple: 'x86_64-unknown-linux-musl', compiler: 'musl-gcc', package: 'musl-tools' },
  { arch: 'arm64', triple: 'aarch64-unknown-linux-musl', compiler: 'aarch64-linux-musl-gcc', package: 'a cross compiler for musl' },
] as const
type Target = (typeof targets)[number]

const crate = join(root, 'agent', 'native')

/** What stands in the way, as one sentence; `undefined` when it can be built. */
function hindrance({ arch, triple, compiler, package: packageName }: Target): string | undefined {
  if (!answers('cargo', '--version')) return 'needs Rust: https://rustup.rs'
  // On the architecture itself the system's own compiler for musl is the right one.
  const needed = arch === process.arch ? 'musl-gcc' : compiler
  if (!answers(needed, '--version'))
    return `needs ${needed}: ${needed === 'musl-gcc' ? 'apt install musl-tools' : `install ${packageName}`}`
  const installed = spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).stdout.trim()
  if (existsSync(join(installed, 'lib', 'rustlib', triple))) return undefined
  return spawnSync('rustup', ['target', 'add', triple], { stdio: 'inherit' }).status === 0
    ? undefined
    : `needs Rust's target: rustup target add ${triple}`
}

const answers = (program: string, argument: string): boolean => spawnSync(program, [argument]).status === 0

/** One script, which is then compiled into an executable; `mode` is one of `agent/vite.config.ts`. */
async function buildScript(mode: 'native' | 'test-driver'): Promise<void> {
  const status = await run('vite', ['build', '--mode', mode], { cwd: join(root, 'agent') })
  if (status !== 0) throw new Error(`Cannot build the agent's script: the build ended with status ${status}`)
}

/** Runs cargo for a target; the path of the executable. */
async function cargo(target: Target, profile: Profile, options: readonly string[], script: string): Promise<string> {
  const name = target.triple.replaceAll('-', '_')
  const isForeign = target.arch !== process.arch
  const compilers = isForeign ? { [`CC_${name}`]: target.compiler, [`CARGO_TARGET_${name.toUpperCase()}_LINKER`]: target.compiler } : {}
  const environment = { ...compilers, VEDETTE_AGENT_BUNDLE: join(nativeFolder, script) }
  const args = ['build', '--locked', '--profile', profile, '--target', target.triple, ...options]
  const status = await run('cargo', args, { cwd: crate, environment })
  if (status !== 0) throw new Error(`Cannot build the native agent for ${target.arch}: cargo ended with status ${status}`)
  return join(crate, 'target', target.triple, profile === 'dev' ? 'debug' : profile, 'vedette-agent')
}

async function buildTarget(target: Target, profile: Profile): Promise<void> {
  const built = nativeAgent(target.arch)
  await copyFile(await cargo(target, profile, [], 'vedette-agent.js'), built)
  noteBuilt(built, profile)
  console.log(`agent/native/dist/vedette-agent-linux-${target.arch}  ${((await stat(built)).size / 1e6).toFixed(2)} MB`)
}

if (import.meta.main) {
  // Optimising takes minutes; `--quick` builds one that is good enough to try and test with.
  const profile = process.argv.includes('--quick') ? 'dev' : 'release'
  const startedAtMs = Date.now()
  await mkdir(nativeFolder, { recursive: true })
  await buildScript('native')
  for (const target of targets) {
    const reason = hindrance(target)
    if (reason === undefined) await buildTarget(target, profile)
    else console.log(`The native agent for ${target.arch} is not built: ${reason}`)
    if (reason !== undefined && target.arch === process.arch) process.exitCode = 1
  }
  const own = targets.find(({ arch }) => arch === process.arch)
  if (own !== undefined && process.exitCode === undefined) {
    await buildScript('test-driver')
    await copyFile(await cargo(own, 'dev', ['--features', 'test-driver'], 'test-driver.js'), join(nativeFolder, 'test-driver'))
  }
  console.log(`Took ${seconds(startedAtMs)}`)
}
