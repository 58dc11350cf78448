import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { scratchFolder } from './programs.ts'

/**
 * Isolated copy of this machine's file system with a separate systemd, for a test, and functions to run commands and list written files.
 * Writes do not reach this machine.
 */
export type SystemdMachine = AsyncDisposable & {
  readonly kind: 'booted'
  /**
   * Returns the paths, relative to `/`, of files that were written or deleted on the isolated machine, without `/tmp`, `/run`, Node.js and
   * the files of systemd itself.
   */
  readonly written: () => readonly string[]
  /**
   * Runs a command line in the isolated machine's shell as root. Resolves with the exit status (`null` after a signal) and as `said` the
   * text of both outputs.
   */
  readonly run: (line: string) => Promise<{ readonly status: number | null; readonly said: string }>
}

export type NoMachine = AsyncDisposable & { readonly kind: 'none'; readonly reason: string }

const SYSTEMD = '/lib/systemd/systemd'
const CGROUPS = '/sys/fs/cgroup'
const BOOT_MS = 120_000
const STOP_MS = 10_000

/**
 * Text of a shell script that creates an overlay over `/` and boots systemd in it, in its own namespaces except for the network. `$0` is a
 * writable folder, `$1` the path of Node.js for the machine.
 */
const BOOT = `mount --make-rprivate /
mount -t tmpfs tmpfs "$0"
mkdir "$0/upper" "$0/work" "$0/root"
mount -t overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" overlay "$0/root"
cd "$0/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
if [ -e ${CGROUPS}/cgroup.controllers ]; then mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
fi
mount --rbind /dev dev
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
touch usr/local/bin/node
mount --bind "$1" usr/local/bin/node
printf '[Unit]\\nDescription=Nothing else\\n' >run/nothing.target
mkdir -p run/systemd/system
mv run/nothing.target run/systemd/system
exec chroot . env -i container=test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${SYSTEMD} --system --unit=nothing.target --log-target=null --show-status=no`

/**
 * Regular expression that matches the paths, relative to the isolated machine's root, that systemd itself writes, and those of the
 * installed Node.js program.
 */
const OWN = /^(var\/lib\/(systemd|private)|var\/log|etc\/(machine-id|mtab|\.pwd\.lock)|usr\/local\/bin\/node)(\/|$)/

/**
 * Boots an isolated machine with systemd and resolves with it. Needs root and an installed systemd; otherwise the result has the kind
 * `none` and a reason (text).
 */
export async function bootMachine(): Promise<SystemdMachine | NoMachine> {
  const none = (reason: string): NoMachine => ({ kind: 'none', reason, [Symbol.asyncDispose]: () => Promise.resolve() })
  if (process.getuid?.() !== 0) return none('only root can boot a machine')
  if (!existsSync(SYSTEMD)) return none('systemd is not installed')
  await using made = new AsyncDisposableStack()
  const folder = made.use(scratchFolder())
  const group = ownGroup(`vedette-machine-${process.pid}`)
  made.defer(group.remove)
  const args = [
    '--pid',
    '--fork',
    '--kill-child',
    '--mount',
    '--uts',
    '--ipc',
    '--cgroup',
    'sh',
    '-ec',
    BOOT,
    folder.path,
    process.execPath,
  ]
  const joined = `${group.joinLine}exec unshare "$@"`
  const child = spawn('sh', ['-ec', joined, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = text(child.stderr)
  made.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const first = await bootedIn(child)
  if (first === undefined) {
    return none(`systemd does not boot here: ${(await said).trim().split('\n').at(-1) ?? ''}`)
  }
  const kept = made.move()
  return {
    kind: 'booted',
    // The process's root is the overlay; the root beside it has the folder that the overlay writes to.
    written: () => listFiles(`/proc/${child.pid}/root${folder.path}/upper`).filter((path) => !OWN.test(path)),
    async run(line) {
      const shell = spawn('nsenter', ['--target', String(first), '--all', '--root', '--wd', 'sh', '-c', `(${line}\n) 2>&1`], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
      })
      const [answer] = await Promise.all([text(shell.stdout), once(shell, 'exit')])
      return { status: shell.exitCode, said: answer }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * Returns the list of paths, relative to `folder`, of all files and links below it; links are not followed. Includes the overlay's marks of
 * deleted files.
 */
function listFiles(folder: string, below = ''): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    return entry.isDirectory() ? listFiles(folder, path) : [path]
  })
}

/** Waits until systemd on the isolated machine has booted and resolves with its PID; `undefined` when it ended or took too long. */
async function bootedIn(child: ChildProcess): Promise<number | undefined> {
  const { pid = 0 } = child
  const giveUp = AbortSignal.timeout(BOOT_MS)
  while (!giveUp.aborted && child.exitCode === null && child.signalCode === null) {
    await setImmediate()
    const first = readSmall(`/proc/${pid}/task/${pid}/children`).trim()
    if (!/^\d+$/.test(first)) continue
    const asked = spawnSync('nsenter', ['--target', first, '--all', '--root', 'systemctl', 'is-system-running'], { encoding: 'utf8' })
    if (/^(running|degraded)$/.test(asked.stdout.trim())) return Number(first)
  }
  child.kill('SIGKILL')
  return undefined
}

function readSmall(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}

type OwnGroup = { readonly joinLine: string; readonly remove: () => Promise<void> }

/**
 * Creates the cgroups of an isolated machine under `name`, and returns functions to use and remove them. There is one folder with cgroup
 * v2, and one in each hierarchy with v1.
 */
function ownGroup(name: string): OwnGroup {
  const hierarchies = isGroup(CGROUPS)
    ? [CGROUPS]
    : readdirSync(CGROUPS)
        .map((hierarchy) => join(CGROUPS, hierarchy))
        .filter(isGroup)
  for (const hierarchy of hierarchies) {
    mkdirSync(join(hierarchy, name))
    // A new group of the cpuset hierarchy has no CPUs, and accepts no process before it has some.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      if (existsSync(join(hierarchy, file))) writeFileSync(join(hierarchy, name, file), readFileSync(join(hierarchy, file)))
    }
  }
  return {
    joinLine: hierarchies.map((hierarchy) => `echo $$ >${join(hierarchy, name)}/cgroup.procs; `).join(''),
    async remove() {
      for (const hierarchy of hierarchies) await removeGroup(join(hierarchy, name))
    },
  }
}

const isGroup = (path: string): boolean => existsSync(join(path, 'cgroup.procs'))

/** Removes a cgroup (path of its folder) and its subgroups, innermost first, after their last process has ended. */
async function removeGroup(group: string): Promise<void> {
  for (const entry of readdirSync(group, { withFileTypes: true })) if (entry.isDirectory()) await removeGroup(join(group, entry.name))
  const giveUp = AbortSignal.timeout(STOP_MS)
  while (!giveUp.aborted && readSmall(join(group, 'cgroup.procs')) !== '') await setImmediate()
  rmdirSync(group)
}
