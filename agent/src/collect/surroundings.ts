import type { HostScopedFamily } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../source/proc-source.ts'
import { parseCounter } from '../text/columns.ts'
import { parseMountInfo, type Mount } from '../text/mount-info.ts'
import { hostRootIn } from './disks/mounts.ts'

/**
 * Environment of the agent. On a machine, or in a container with access to it (such as to the host's /proc), the machine's values are
 * reported. In a guest (LXC, or a limited container without that access), the guest's own values are, where the kernel or lxcfs has them.
 */
export type Surroundings = {
  /** Name of the type of container in which the agent runs, such as `docker`, `podman` or `lxc`; `undefined` on a machine of its own. */
  readonly container: string | undefined
  /**
   * True in a guest: a system on a shared kernel (LXC, systemd-nspawn, OpenVZ), or an application container with a limit and without access
   * to the machine. A limit on the agent alone, by systemd or Docker, makes no guest.
   */
  readonly isGuest: boolean
  /** Set of the names of the files below /proc, such as `meminfo`, in which lxcfs or the kernel shows the container guest's own values. */
  readonly virtualised: ReadonlySet<string>
}

export type AgentMeans = {
  /** True when the agent is configured to read the machine's /proc at another path, such as `/host/proc`. */
  readonly hasHostProc: boolean
  readonly hasEngine: boolean
}

/** Set of the types of containers that run one application, such as Docker. An agent in one usually monitors the machine around it. */
const applicationContainers = new Set(['docker', 'podman', 'oci', 'containerd', 'crio', 'kubernetes', 'rkt'])

export function readSurroundings(source: ProcSource, means: AgentMeans): Surroundings {
  const { own } = source
  const mounts = parseMountInfo(own.tryText('/proc/self/mountinfo') ?? '')
  const lxcfs = mounts.filter(isLxcfs).map(({ mountPoint }) => mountPoint)
  const container = toldContainer(source) ?? guessedContainer(source, mounts)
  const isOpenVz = container === 'openvz'
  const virtualised = new Set(
    isOpenVz
      ? ['meminfo', 'stat', 'loadavg']
      : lxcfs.filter((path) => path.startsWith('/proc/')).map((path) => path.slice('/proc/'.length)),
  )
  return {
    container,
    isGuest: container !== undefined && isSystemOfItsOwn(container, source, means) && hostRootIn(mounts, source) === undefined,
    virtualised,
  }
}

function toldContainer({ own }: ProcSource): string | undefined {
  const told = own.tryText('/run/systemd/container')?.trim() || environmentOfFirst(own.tryText('/proc/1/environ'))
  return told === 'wsl' ? undefined : told
}

function guessedContainer({ own }: ProcSource, mounts: readonly Mount[]): string | undefined {
  // A machine may have been made from a container's image and have its marks, but not its layers.
  const root = mounts.findLast(({ mountPoint }) => mountPoint === '/')
  const isWholeDevice = root !== undefined && root.root === '/' && root.source.startsWith('/dev/')
  if (!isWholeDevice && own.exists('/.dockerenv')) return 'docker'
  if (!isWholeDevice && own.exists('/run/.containerenv')) return 'podman'
  if (own.exists('/var/run/secrets/kubernetes.io')) return 'kubernetes'
  // The kernel of OpenVZ shows /proc/vz everywhere and /proc/bc on the machine itself only.
  if (own.exists('/proc/vz') && !own.exists('/proc/bc')) return 'openvz'
  return mounts.some(isLxcfs) ? 'lxc' : undefined
}

const isLxcfs = ({ filesystem }: Mount): boolean => filesystem === 'fuse.lxcfs'

/**
 * Returns the container's type, such as `lxc`, from the environment text of the first process; `undefined` without one. Container managers
 * set it (systemd.io/CONTAINER_INTERFACE), and only root may read it.
 */
const environmentOfFirst = (environment: string | undefined): string | undefined =>
  environment
    ?.split('\0')
    .find((one) => one.startsWith('container='))
    ?.slice('container='.length) || undefined

function isSystemOfItsOwn(container: string, source: ProcSource, means: AgentMeans): boolean {
  if (means.hasHostProc) return false
  if (!applicationContainers.has(container)) return true
  return !means.hasEngine && !source.own.exists('/extra-filesystems') && !hasHostNetwork(source) && hasMemoryLimit(source)
}

/**
 * Returns true when the agent shares the machine's network namespace: it sees an interface with a hardware device, and such interfaces stay
 * in the machine's namespace.
 */
const hasHostNetwork = (source: ProcSource): boolean =>
  source.listSys('class/net').some((name) => source.own.exists(`/sys/class/net/${name}/device`))

const hasMemoryLimit = ({ own }: ProcSource): boolean =>
  ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'].some((path) => isLimit(own.tryText(path)))

/** Returns true when the text of a cgroup file is a memory limit. Without a limit it is `max` (cgroup v2) or nearly 2^63 (v1). */
const isLimit = (text: string | undefined): boolean => (parseCounter(text?.trim()) ?? Number.POSITIVE_INFINITY) < 2 ** 60

/**
 * Returns the list of groups of metrics, such as `load`, that describe the host although the agent runs in a container guest (LXC). The
 * kernel has none for the guest. `undefined` outside guests.
 */
export function hostScopedFamilies(
  { isGuest, virtualised }: Surroundings,
  isMemoryLimited: boolean,
): readonly HostScopedFamily[] | undefined {
  if (!isGuest) return undefined
  const families: HostScopedFamily[] = []
  if (!virtualised.has('stat')) families.push('cpu')
  if (!virtualised.has('meminfo') && !isMemoryLimited) families.push('memory')
  if (!virtualised.has('loadavg')) families.push('load')
  return [...families, 'temperatures']
}
