/**
 * Everything one agent said at one instant. Every family and field may be absent: absent means "not known" or "this
 * machine has no such thing", never zero. Percentages are 0–100 of the whole machine unless a field says otherwise;
 * rates are averages since the previous sample the same consumer took.
 */
export type Sample = {
  /** Epoch milliseconds at which the agent took the sample; only our own agents send it. */
  readonly takenAtMs?: number
  readonly cpu?: CpuSample
  readonly memory?: MemorySample
  readonly swap?: SwapSample
  readonly load?: LoadAverage
  /** Whole seconds since boot. Source: /proc/uptime, proc(5). */
  readonly uptimeSeconds?: number
  /** The filesystem the system boots from. */
  readonly rootDisk?: DiskSample
  /** Further filesystems by display name or device name. */
  readonly extraDisks?: Readonly<Record<string, DiskSample>>
  readonly network?: NetworkSample
  /** °C by sensor; 0 and less only from our own agents. */
  readonly temperatures?: Readonly<Record<string, number>>
  /** °C of the sensor that represents the machine: the configured one or the hottest. */
  readonly dashboardCelsius?: number
  /** Revolutions per minute by fan. */
  readonly fans?: Readonly<Record<string, number>>
  /** The battery the machine runs on. */
  readonly battery?: BatterySample
  /** Charge percent of every battery by name. */
  readonly batteries?: Readonly<Record<string, number>>
  readonly gpus?: Readonly<Record<string, GpuSample>>
  /** Ours: how long tasks had to wait for something. */
  readonly pressure?: PressureSample
  readonly containers?: readonly ContainerSample[]
  /** Recent ends and kills of containers, oldest first; the same ones in several samples, because a sample can be lost. Ours. */
  readonly containerEvents?: readonly ContainerEvent[]
  readonly services?: readonly ServiceSample[]
  readonly serviceCounts?: ServiceCounts
  /** Static facts; sent on request. */
  readonly machine?: MachineFacts
  /**
   * How old readings are, in milliseconds, that are older than the interval the sample is taken for: their latest reading failed or
   * overran its deadline, and the last good one stands in. Ours.
   */
  readonly ages?: ReadingAges
  /** As announced: `X.Y.Z`, possibly with a build part. */
  readonly agentVersion?: string
  readonly link?: 'ssh' | 'websocket'
}

/** Families of a sample that may come from an earlier reading. */
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
  /** Share of all cores that is neither idle nor waiting for I/O: what a hypervisor took (steal) counts. Source: first line of /proc/stat, proc(5). */
  readonly busyPercent: number
  readonly shares?: CpuShares
  /** Busy share of each logical CPU in the kernel's order, whole percents; `undefined` for one whose counters went back or stood still. */
  readonly coreBusyPercent?: readonly (number | undefined)[]
}

/** Parts of all CPU time. nice, irq and softirq are in none of the five, so they need not add up to 100. */
export type CpuShares = {
  readonly userPercent: number
  readonly systemPercent: number
  readonly iowaitPercent: number
  readonly stealPercent: number
  readonly idlePercent: number
}

/** Source: /proc/meminfo, proc(5). */
export type MemorySample = {
  readonly totalBytes: number
  /** Memory in use that the kernel cannot reclaim: total − MemAvailable. */
  readonly usedBytes: number
  readonly usedPercent: number
  /** Page cache, reclaimable slab and buffers, without shared memory. */
  readonly cacheBytes?: number
  /** Adaptive replacement cache of ZFS, from our own agents without the minimum that ZFS never gives back; not part of `usedBytes`. */
  readonly zfsArcBytes?: number
}

export type SwapSample = { readonly totalBytes: number; readonly usedBytes: number }

/** Runnable and uninterruptible tasks over 1, 5 and 15 minutes; not a share of anything. Source: /proc/loadavg, proc(5). */
export type LoadAverage = { readonly oneMinute: number; readonly fiveMinutes: number; readonly fifteenMinutes: number }

export type DiskSample = {
  readonly totalBytes?: number
  readonly usedBytes?: number
  /** Share of the space that unprivileged users can fill, as df(1) has it: used ÷ (used + available). Agents of others send used ÷ total for further filesystems. */
  readonly usedPercent?: number
  readonly readBytesPerSecond?: number
  readonly writtenBytesPerSecond?: number
  readonly activity?: DiskActivity
  /** Files and folders the filesystem can hold; absent where it has no fixed number. Ours. Source: statfs(2). */
  readonly inodesTotal?: number
  readonly inodesUsed?: number
}

/** Source: /proc/diskstats, kernel Documentation/admin-guide/iostats.rst. */
export type DiskActivity = {
  /** Time spent reading; above 100 when requests run in parallel. The same for writing. */
  readonly readPercent: number
  readonly writePercent: number
  /** Share of time with at least one request in flight. */
  readonly utilisationPercent: number
  /** Mean time of a finished request. Absent where none finished; agents of others send 0. */
  readonly readAwaitMs?: number
  readonly writeAwaitMs?: number
  /** Mean number of requests in flight × 100. */
  readonly weightedPercent: number
}

export type NetworkSample = {
  /** Sum over the interfaces that count, without tunnels through them; one that restarted its counters adds what it counted since. */
  readonly sentBytesPerSecond?: number
  readonly receivedBytesPerSecond?: number
  readonly interfaces?: Readonly<Record<string, InterfaceSample>>
}

/** Source: /proc/net/dev, proc(5). Totals count since boot; beyond 2^53 bytes the last digits are lost. */
export type InterfaceSample = {
  readonly sentBytesPerSecond: number
  readonly receivedBytesPerSecond: number
  readonly sentBytesTotal: number
  readonly receivedBytesTotal: number
}

/**
 * Share of time since the previous sample in which at least one task (some) or every runnable task (full) waited for the
 * resource. Source: /proc/pressure, kernel Documentation/accounting/psi.rst.
 */
export type PressureSample = { readonly cpu?: Pressure; readonly memory?: Pressure; readonly io?: Pressure }
export type Pressure = { readonly somePercent: number; readonly fullPercent?: number }

export type BatteryState = 'unknown' | 'empty' | 'full' | 'charging' | 'discharging' | 'idle'
export type BatterySample = { readonly percent: number; readonly state: BatteryState }

export type GpuSample = {
  readonly name: string
  readonly usagePercent?: number
  /** The GPU's own memory in MiB, for all vendors. Other agents count some GPUs in MiB ÷ 1.024. */
  readonly memoryUsedMegabytes?: number
  readonly memoryTotalMegabytes?: number
  /** MiB of the machine's memory that the GPU uses and may use (GTT). Ours. */
  readonly sharedMemoryUsedMegabytes?: number
  readonly sharedMemoryTotalMegabytes?: number
  readonly powerWatts?: number
  readonly packagePowerWatts?: number
  readonly enginePercent?: Readonly<Record<string, number>>
}

export type ContainerHealth = 'none' | 'starting' | 'healthy' | 'unhealthy'

/** Source: Docker Engine API 1.24 and later, /containers/json and /containers/{id}/stats. */
export type ContainerSample = {
  readonly name: string
  /** First 12 hex digits; absent from agents that do not send it. */
  readonly id?: string
  /** Share of the whole machine, not of one core. */
  readonly cpuPercent?: number
  /** Without page cache that can be reclaimed. */
  readonly memoryBytes?: number
  readonly sentBytesPerSecond?: number
  readonly receivedBytesPerSecond?: number
  readonly health?: ContainerHealth
  /** The engine's own words, such as "Up 2 hours". */
  readonly status?: string
  readonly image?: string
  /** Published ports, such as "80, 127.0.0.1:443". */
  readonly ports?: string
  /** Bytes moved by the container's block devices. Ours, like all that follow. */
  readonly diskReadBytesPerSecond?: number
  readonly diskWrittenBytesPerSecond?: number
  /** How often the engine restarted it by its restart policy. */
  readonly restarts?: number
  /** Compose project and service; together they outlive a recreated container. */
  readonly composeProject?: string
  readonly composeService?: string
  /** Owner of the network that it shares, `host` or another container's name; its network counters then show the owner's traffic. */
  readonly networkOf?: string
  /** Most memory that it may use; absent without a limit below the machine's memory. */
  readonly memoryLimitBytes?: number
  /** Most CPU time that it may use, in CPUs: 1.5 is one and a half. Absent without a limit below the machine's CPUs. */
  readonly cpuLimitCpus?: number
}

/** A run of a container ended, or the kernel killed a process of a container that runs on. */
export type ContainerEvent = {
  /** Epoch milliseconds, by the clock of the container engine. */
  readonly atMs: number
  /** Name of the container. */
  readonly container: string
  /** Absent when the container runs on, or the engine does not report it; 137 is an end by SIGKILL. */
  readonly exitCode?: number
  /** The kernel killed it, or a process in it, because memory or the container's memory limit was used up. */
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
  /** As the distribution calls itself, such as "Debian GNU/Linux 12 (bookworm)". */
  readonly osName?: string
  readonly architecture?: string
  readonly totalMemoryBytes?: number
  readonly podman?: boolean
  readonly smartIntervalMs?: number
  /** Container technology the agent runs in, such as `docker` or `lxc`; absent outside containers. Ours. */
  readonly container?: string
  /** Families with the values of the surrounding machine, because the kernel has none for the container. Ours. */
  readonly hostScoped?: readonly HostScopedFamily[]
}

export type HostScopedFamily = 'cpu' | 'memory' | 'load' | 'temperatures'
