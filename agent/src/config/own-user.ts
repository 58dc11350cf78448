import { usualSockets, type EngineSetting } from '../collect/docker/engine-address.ts'
import { HEALTH_FILE } from '../link/health-file.ts'
import { identityFiles } from '../link/identity-files.ts'
import type { Log } from '../runtime/log.ts'
import type { Runtime } from '../runtime/runtime.ts'

export type OwnUserOptions = {
  /** Numeric id of the user from the option RUN_AS; `undefined` to stay the user that started the agent. */
  readonly user: number | undefined
  readonly engine: EngineSetting
  /** List of the paths of folders that the agent writes to. Their owner becomes the user to which the agent changes. */
  readonly writable: readonly string[]
  readonly dataFolder: string | undefined
}

/**
 * Bit `0o002` of a file mode (chmod(2)): all users may write to the file or folder. A folder with it, such as /dev/shm, does not become the
 * property of the agent's new user.
 */
const WRITABLE_FOR_ALL = 0o002

const ROOT = 0

/**
 * Changes the process of an agent that root has started to the user id of the option RUN_AS. It joins the groups of Docker's and Podman's
 * sockets. Does nothing without that option, or with 0. It must run before any input is read. If it fails, as in a container without
 * CAP_SETUID, a warning is logged and the agent stays root.
 */
export function becomeOwnUser(runtime: Runtime, log: Pick<Log, 'warn'>, options: OwnUserOptions): void {
  const { user, engine, dataFolder } = options
  if (user === undefined || user === ROOT) return
  const files = dataFolder === undefined ? [] : [...identityFiles, HEALTH_FILE].map((name) => `${dataFolder}/${name}`)
  const owns = [...options.writable, ...files].filter((path) => isTakenOver(runtime, path))
  const reason = runtime.becomeUser({ user, owns, groupsOf: engineSockets(engine) })
  if (reason !== null) log.warn('Continuing as root', { user, reason })
}

function isTakenOver(runtime: Runtime, path: string): boolean {
  const facts = runtime.stat(path)
  // oxlint-disable-next-line no-bitwise -- permission bits
  return facts !== null && (facts.kind === 'file' || (facts.mode & WRITABLE_FOR_ALL) === 0)
}

function engineSockets(setting: EngineSetting): readonly string[] {
  if (setting.mode === 'search') return usualSockets(ROOT)
  return setting.mode === 'fixed' && setting.address.kind === 'unix' ? [setting.address.path] : []
}
