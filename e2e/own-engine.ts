import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { scratchFolder } from './programs.ts'

/** Timeout in ms for the start of the test's own Docker engine: 2 min. `STOP_MS` is the timeout for its end. */
const START_MS = 120_000
const STOP_MS = 20_000

const CGROUPS = '/sys/fs/cgroup'

/**
 * Text of a shell script that runs before the test's own Docker engine. It mounts a tmpfs or overlay over the folders in which every engine
 * writes locks, keys and plug-in lists. The engine ends with the test, even if the test is killed.
 */
const OWN_PLACES = `mount -t tmpfs tmpfs /run
mkdir "$0/etc" "$0/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$0/etc,workdir=$0/work" overlay /etc || true
exec setpriv --pdeathsig TERM dockerd "$@"`

/**
 * Starts a Docker engine for one test, with its own socket, data, mounts and network interfaces, and resolves with its address; needs root.
 * An installed engine is not affected. With `network: 'machine'`, containers use the machine's network.
 */
export async function startOwnEngine(network: 'own' | 'machine' = 'own'): Promise<AsyncDisposable & { readonly address: string }> {
  if (process.getuid?.() !== 0) throw new Error('no socket of an engine found, and only root can start one')
  const folder = scratchFolder()
  const at = (name: string): string => join(folder.path, name)
  const cgroup = `vedette-e2e-${process.pid}`
  const address = `unix://${at('engine.sock')}`
  writeFileSync(at('daemon.json'), '{}')
  const usual = network === 'machine' ? ['--host', 'unix:///run/docker.sock'] : []
  const own = ['--host', address, ...usual, '--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')]
  const plain = ['--config-file', at('daemon.json'), '--iptables=false', '--bridge=none']
  const groups = ['--exec-opt', 'native.cgroupdriver=cgroupfs', '--cgroup-parent', `/${cgroup}`]
  const namespaces = network === 'machine' ? ['--mount'] : ['--mount', '--net']
  const engine = spawn('unshare', [...namespaces, 'sh', '-ec', OWN_PLACES, folder.path, ...own, ...plain, ...groups], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    await stopProcess(engine)
    removeCgroups(cgroup)
    folder[Symbol.dispose]()
  }
  try {
    await untilListening(engine)
  } catch (error) {
    await stop()
    throw error
  }
  return { address, [Symbol.asyncDispose]: stop }
}

/**
 * Resolves when the test's Docker engine (dockerd process) listens on its socket. Rejects with its last log line when it ends or takes too
 * long.
 */
function untilListening(engine: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (engine.stderr === null) throw new Error('Cannot read what dockerd says')
    let last = 'it said nothing'
    const late = setTimeout(() => reject(new Error(`dockerd was not ready after ${START_MS / 1000} s: ${last}`)), START_MS)
    // Reading continues for as long as the engine lives: a full pipe would block it.
    createInterface({ input: engine.stderr }).on('line', (line) => {
      last = line
      if (!line.includes('API listen on')) return
      clearTimeout(late)
      resolve()
    })
    engine.on('error', reject)
    engine.on('close', () => {
      clearTimeout(late)
      reject(new Error(`dockerd does not start: ${last}`))
    })
  })
}

async function stopProcess(engine: ChildProcess): Promise<void> {
  if (engine.pid === undefined || engine.exitCode !== null || engine.signalCode !== null) return
  const ended = once(engine, 'exit')
  engine.kill('SIGTERM')
  const late = setTimeout(() => engine.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(late)
}

/**
 * Removes the cgroups named `name` that the test's Docker engine made for its containers: one folder, or with cgroup v1 one in every
 * hierarchy.
 */
function removeCgroups(name: string): void {
  const places = ['.', ...readdirSync(CGROUPS)].map((hierarchy) => join(CGROUPS, hierarchy, name))
  for (const place of places) {
    try {
      rmdirSync(place)
    } catch {
      // Most hierarchies have none; one that is still in use is the engine's failure to stop, seen above.
    }
  }
}
