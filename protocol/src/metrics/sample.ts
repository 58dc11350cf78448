/**
 * All measurements of one agent at one moment. Every field may be absent, which means "unknown" or "this machine has none", never zero.
 * Percentages are 0 to 100 of the whole machine unless stated otherwise. Rates are averages since the agent's previous sample of that
 * interval (every minute, or every second while a page watches).
 */
export type Sample = {
  /** Time at which the agent took the sample, in epoch ms. Only Vedette agents send it. */
  readonly takenAtMs?: number
  readonly cpu?: CpuSample
  readonly memory?: MemorySample
  readonly swap?: SwapSample
  readonly load?: LoadAverage
  /** Uptime of the machine in whole seconds. Source: /proc/uptime, proc(5). */
  readonly uptimeSeconds?: number
  /** Size, use and activity of the root filesystem (that of the operating system); absent when unknown. */
  readonly rootDisk?: DiskSample
  /**
   * Map from name (display name or device) to space and activity of a measured filesystem; the root filesystem is in `rootDisk` instead.
   */
  readonly extraDisks?: Readonly<Record<string, DiskSample>>
  readonly network?: NetworkSample
  /** Object from sensor name to temperature in °C. Only Vedette agents send values of 0 and below. */
  readonly temperatures?: Readonly<Record<string, number>>
  /** Temperature in °C that represents the machine: that of the configured sensor, else of the hottest one; absent when there is none. */
  readonly dashboardCelsius?: number
  /** Object from fan name to speed in revolutions per minute; 0 for a stopped fan. */
  readonly fans?: Readonly<Record<string, number>>
  /** Charge and state of the machine's battery; of several, that of the main one. Absent without a battery. */
  readonly battery?: BatterySample
  /** Object from battery name to charge in percent, 0 to 100, for all batteries of the machine and of attached devices. */
  readonly batteries?: Readonly<Record<string, number>>
  readonly gpus?: Readonly<Record<string, GpuSample>>
  /** Pressure stall information: shares of time in which tasks waited for a resource. Only Vedette agents send it. */
  readonly pressure?: PressureSample
  readonly containers?: readonly ContainerSample[]
  /**
   * List of ends and out-of-memory kills of containers that the agent found in the last 10 min. Each event is in several samples, because a
   * sample can be lost. Only Vedette agents send it.
   */
  readonly containerEvents?: readonly ContainerEvent[]
  readonly services?: readonly ServiceSample[]
  readonly serviceCounts?: ServiceCounts
  /**
   * Static facts of the machine, such as its CPU model and kernel. A hub requests them only sometimes; most samples have at most the number
   * of threads.
   */
  readonly machine?: MachineFacts
  /**
   * Object from group of metrics, such as `cpu`, to the age in ms of its values, for groups that the sample repeats from an earlier
   * reading. Absent when all values are current.
   */
  readonly ages?: ReadingAges
  /** Version that the agent announces, `X.Y.Z`, possibly with build metadata such as `+vedette.0.1.0`. */
  readonly agentVersion?: string
  readonly link?: 'ssh' | 'websocket'
}

/** Name of a group of metrics, such as `cpu`. A sample may repeat the values of a group from an earlier reading. */
export type AgedFamily =
  | 'cpu'
  | 'memory'
  | 'swap'
  | 'load'
  | 'uptimeSeconds'
  | 'rootDisk'
  | 'extraDisks'
  | 'network'
  | 'temperatures'
  | 'fans'
  | 'battery'
  | 'batteries'
  | 'gpus'
  | 'pressure'
  | 'containers'
  | 'services'
  | 'serviceCounts'
export type ReadingAges = { readonly [F in AgedFamily]?: number }

export type CpuSample = {
  /**
   * Busy CPU time in percent of all cores, 0 to 100: all time that is neither idle nor waiting for I/O; steal counts as busy. Source: first
   * line of /proc/stat, proc(5).
   */
  readonly busyPercent: number
  readonly shares?: CpuShares
  /**
   * List of the busy time of each logical CPU in whole percent, in the kernel's order. An entry is `undefined` for a CPU whose counters
   * went back or did not change.
   */
  readonly coreBusyPercent?: readonly (number | undefined)[]
}

/**
 * Shares of the machine's CPU time, in percent of all cores: user, system, I/O wait, steal and idle. nice, irq and softirq are missing, so
 * the sum can be below 100.
 */
export type CpuShares = {
  readonly userPercent: number
  readonly systemPercent: number
  readonly iowaitPercent: number
  readonly stealPercent: number
  readonly idlePercent: number
}

/**
 * Memory use of the machine: sizes in bytes, and the used percentage. Source: /proc/meminfo, proc(5), or in a container guest its cgroup.
 */
export type MemorySample = {
  readonly totalBytes: number
  /**
   * Memory in use that the kernel cannot reclaim, in bytes. Usually it is total − MemAvailable, less the ZFS cache; the operator can choose
   * htop's calculation, and a container guest has its own limit's use.
   */
  readonly usedBytes: number
  readonly usedPercent: number
  /** Page cache, reclaimable slab and buffers, without shared memory, in bytes. */
  readonly cacheBytes?: number
  /**
   * Memory in bytes that the adaptive replacement cache (ARC) of ZFS uses, which is not part of `usedBytes`; absent without ZFS. Vedette
   * agents subtract the minimum that ZFS never frees.
   */
  readonly zfsArcBytes?: number
}

export type SwapSample = { readonly totalBytes: number; readonly usedBytes: number }

/**
 * Load averages over 1, 5 and 15 minutes: numbers of runnable and uninterruptible tasks, not percentages. Source: /proc/loadavg, proc(5).
 */
export type LoadAverage = { readonly oneMinute: number; readonly fiveMinutes: number; readonly fifteenMinutes: number }

export type DiskSample = {
  readonly totalBytes?: number
  readonly usedBytes?: number
  /**
   * Used percentage of the space that unprivileged users can fill, as in df(1): used ÷ (used + available). Agents of other projects send
   * used ÷ total for extra filesystems.
   */
  readonly usedPercent?: number
  readonly readBytesPerSecond?: number
  readonly writtenBytesPerSecond?: number
  readonly activity?: DiskActivity
  /**
   * Total number of inodes of the filesystem (files and folders that it can hold); absent where the number is not fixed. Only Vedette
   * agents send it. Source: statfs(2).
   */
  readonly inodesTotal?: number
  readonly inodesUsed?: number
}

/**
 * Activity of a block device: percentages of time, and mean durations of requests. Source: /proc/diskstats, kernel
 * Documentation/admin-guide/iostats.rst.
 */
export type DiskActivity = {
  /**
   * Time that the disk spent on reads as a percentage of elapsed time; above 100 when requests run in parallel. `writePercent` is the same
   * for writes.
   */
  readonly readPercent: number
  readonly writePercent: number
  /** Percentage of elapsed time, 0 to 100, in which the disk had at least one request in flight. */
  readonly utilisationPercent: number
  /** Mean duration of a finished read, in ms. Absent where none finished; agents of other projects send 0. */
  readonly readAwaitMs?: number
  readonly writeAwaitMs?: number
  /** Mean number of the disk's requests in flight since the previous reading, times 100: 250 means 2.5 requests. */
  readonly weightedPercent: number
}

export type NetworkSample = {
  /**
   * Bytes sent per second, summed over the counted interfaces; tunnels count only if the operator listed them or there is no other
   * interface. Absent when one rate is unknown. After a counter reset of an interface, its new value counts as its growth.
   */
  readonly sentBytesPerSecond?: number
  readonly receivedBytesPerSecond?: number
  readonly interfaces?: Readonly<Record<string, InterfaceSample>>
}

/**
 * Traffic of one network interface. Totals count since boot; beyond 2^53 bytes the last digits are lost. Source: /proc/net/dev, proc(5).
 */
export type InterfaceSample = {
  readonly sentBytesPerSecond: number
  readonly receivedBytesPerSecond: number
  readonly sentBytesTotal: number
  readonly receivedBytesTotal: number
}

/**
 * Pressure stall information for CPU, memory and I/O. It has percentages of the time since the previous sample in which at least one task
 * (`some`), or all runnable tasks (`full`), waited for it. Source: /proc/pressure, psi.rst.
 */
export type PressureSample = { readonly cpu?: Pressure; readonly memory?: Pressure; readonly io?: Pressure }
export type Pressure = { readonly somePercent: number; readonly fullPercent?: number }

export type BatteryState = 'unknown' | 'empty' | 'full' | 'charging' | 'discharging' | 'idle'
export type BatterySample = { readonly percent: number; readonly state: BatteryState }

export type GpuSample = {
  readonly name: string
  readonly usagePercent?: number
  /** Used memory of the GPU itself in MiB. Agents of other projects report it for some GPUs in MiB ÷ 1.024. */
  readonly memoryUsedMegabytes?: number
  readonly memoryTotalMegabytes?: number
  /** Memory of the machine (not of the GPU) that the GPU uses (GTT), in MiB. Only Vedette agents send it. */
  readonly sharedMemoryUsedMegabytes?: number
  readonly sharedMemoryTotalMegabytes?: number
  readonly powerWatts?: number
  readonly packagePowerWatts?: number
  readonly enginePercent?: Readonly<Record<string, number>>
}

export type ContainerHealth = 'none' | 'starting' | 'healthy' | 'unhealthy'

/**
 * State and use of one container: CPU, memory, network, disk, health, limits. Source: Docker Engine API 1.24 and later, /containers/json
 * and /containers/{id}/stats.
 */
export type ContainerSample = {
  readonly name: string
  /** First 12 hexadecimal digits of the container id; some agents do not send it. */
  readonly id?: string
  /** CPU use of the container as percentage of the whole machine, not of one core. */
  readonly cpuPercent?: number
  /** Memory in use by the container in bytes, without the page cache that the kernel can reclaim. */
  readonly memoryBytes?: number
  readonly sentBytesPerSecond?: number
  readonly receivedBytesPerSecond?: number
  readonly health?: ContainerHealth
  /** Status text of the container, as Docker or Podman words it, such as `Up 2 hours`. */
  readonly status?: string
  readonly image?: string
  /** Published ports of the container as one text, such as `80, 127.0.0.1:443`; sorted by port number. */
  readonly ports?: string
  /** Read rate of the container's block devices, in bytes per second. Only Vedette agents send it. */
  readonly diskReadBytesPerSecond?: number
  readonly diskWrittenBytesPerSecond?: number
  /** Number of times that the container's restart policy has restarted it. Only Vedette agents send it. */
  readonly restarts?: number
  /**
   * Name of the Docker Compose project to which the container belongs; absent for none. With `composeService` it stays the same when the
   * container is recreated. Only Vedette agents send them.
   */
  readonly composeProject?: string
  readonly composeService?: string
  /**
   * Owner of the network that the container shares: `host`, or another container's name (its short id if the name is unknown). The network
   * counters are then those of the owner. Absent when it shares none. Only Vedette agents send it.
   */
  readonly networkOf?: string
  /** Memory limit of the container in bytes; absent without a limit below the machine's memory. Only Vedette agents send it. */
  readonly memoryLimitBytes?: number
  /** CPU limit as a number of CPUs, such as 1.5. Absent without a limit below the machine's CPUs. Only Vedette agents send it. */
  readonly cpuLimitCpus?: number
}

/** Event of a container: its end, or an out-of-memory kill of a process in it while the container keeps running. */
export type ContainerEvent = {
  /** Time of the container's event in epoch ms, by the clock of Docker or Podman. */
  readonly atMs: number
  /** Name of the container that ended or in which a process was killed. */
  readonly container: string
  /**
   * Exit code of the ended container, such as 137 after SIGKILL. Absent when the container keeps running, or Docker or Podman does not
   * report it.
   */
  readonly exitCode?: number
  /**
   * True when the kernel killed the container, or a process in it, because memory ran out: the machine's, or that of the container's limit.
   */
  readonly outOfMemory: boolean
}

export type ServiceState = 'active' | 'inactive' | 'failed' | 'activating' | 'deactivating' | 'reloading'
export type ServiceSubState = 'dead' | 'running' | 'exited' | 'failed' | 'other'

export type ServiceSample = {
  readonly name: string
  readonly state: ServiceState
  readonly subState: ServiceSubState
  readonly cpuPercent?: number
  readonly cpuPeakPercent?: number
  readonly memoryBytes?: number
  readonly memoryPeakBytes?: number
}

export type ServiceCounts = { readonly total: number; readonly failed: number }

export type OperatingSystem = 'linux' | 'macos' | 'windows' | 'freebsd'

export type MachineFacts = {
  readonly hostname?: string
  readonly kernel?: string
  readonly cpuModel?: string
  readonly cores?: number
  readonly threads?: number
  readonly os?: OperatingSystem
  /** Name of the operating system, such as `Debian GNU/Linux 12 (bookworm)`. */
  readonly osName?: string
  readonly architecture?: string
  readonly totalMemoryBytes?: number
  readonly podman?: boolean
  readonly smartIntervalMs?: number
  /**
   * Name of the type of container that the agent runs in, such as `docker` or `lxc`; absent outside containers. Only Vedette agents send
   * it.
   */
  readonly container?: string
  /**
   * List of groups of metrics, such as `load`, that describe the host of the agent's container, because the kernel has no values for the
   * container. Only Vedette agents send it.
   */
  readonly hostScoped?: readonly HostScopedFamily[]
  /**
   * Tags, such as `env=prod`, that the operator of the machine has configured in its agent. They are not checked here. Only Vedette agents
   * send them.
   */
  readonly tags?: readonly string[]
}

export type HostScopedFamily = 'cpu' | 'memory' | 'load' | 'temperatures'
