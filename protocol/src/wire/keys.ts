import type {
  AgedFamily,
  BatteryState,
  ContainerHealth,
  HostScopedFamily,
  OperatingSystem,
  ServiceState,
  ServiceSubState,
} from '../metrics/sample.ts'

/**
 * Object from the name of a field to its integer key in the CBOR map ("combined document") in which an agent sends a sample. Keys of 100
 * and above exist only in Vedette; other programs ignore them.
 */
export const documentKey = {
  stats: 0,
  info: 1,
  containers: 2,
  services: 3,
  details: 4,
  takenAtMs: 100,
  ages: 101,
  containerEvents: 102,
} as const

export const statsKey = {
  cpu: 0,
  memoryTotal: 2,
  memoryUsed: 3,
  memoryPercent: 4,
  memoryCache: 5,
  memoryZfsArc: 6,
  swapTotal: 7,
  swapUsed: 8,
  diskTotal: 9,
  diskUsed: 10,
  diskPercent: 11,
  diskReadMebibytes: 12,
  diskWriteMebibytes: 13,
  sentMebibytes: 16,
  receivedMebibytes: 17,
  temperatures: 20,
  extraDisks: 21,
  gpus: 22,
  bandwidth: 26,
  load: 28,
  battery: 29,
  interfaces: 31,
  diskIo: 32,
  cpuShares: 33,
  cores: 34,
  diskActivity: 35,
  fans: 36,
  batteries: 37,
  rootInodes: 100,
  pressure: 101,
  coldTemperatures: 102,
  unknownAwaits: 103,
  unknownCores: 104,
} as const

/** CBOR keys of the load averages over 1, 5 and 15 minutes as agents 0.12.0 send them, in this order. Later agents send one list. */
export const legacyLoadKeys = [23, 24, 25] as const

export const extraDiskKey = {
  total: 0,
  used: 1,
  readMebibytes: 2,
  writeMebibytes: 3,
  read: 6,
  written: 7,
  activity: 8,
  inodes: 100,
  usedPercent: 101,
  unknownAwaits: 102,
} as const

/**
 * Bit flags in a disk's field `unknownAwaits`: 1 for reads, 2 for writes. A set bit means that the disk's mean request duration, which is
 * sent as 0, is in fact unknown.
 */
export const awaitBit = { read: 1, write: 2 } as const

export const gpuKey = {
  name: 0,
  memoryUsed: 1,
  memoryTotal: 2,
  usage: 3,
  power: 4,
  engines: 5,
  packagePower: 6,
  memoryUsedMebibytes: 100,
  memoryTotalMebibytes: 101,
  sharedMemoryUsedMebibytes: 102,
  sharedMemoryTotalMebibytes: 103,
} as const

export const infoKey = {
  hostname: 0,
  kernel: 1,
  cores: 2,
  threads: 3,
  cpuModel: 4,
  uptime: 5,
  cpu: 6,
  memoryPercent: 7,
  diskPercent: 8,
  bandwidthMebibytes: 9,
  agentVersion: 10,
  podman: 11,
  gpu: 12,
  dashboardCelsius: 13,
  os: 14,
  bandwidth: 18,
  load: 19,
  link: 20,
  extraDiskPercents: 21,
  serviceCounts: 22,
  battery: 23,
  coldDashboardCelsius: 100,
} as const

export const detailsKey = {
  hostname: 0,
  kernel: 1,
  cores: 2,
  threads: 3,
  cpuModel: 4,
  os: 5,
  osName: 6,
  architecture: 7,
  podman: 8,
  memory: 9,
  smartInterval: 10,
  container: 100,
  hostScoped: 101,
  tags: 102,
} as const

export const containerKey = {
  name: 0,
  cpu: 1,
  memoryMebibytes: 2,
  sentMebibytes: 3,
  receivedMebibytes: 4,
  health: 5,
  status: 6,
  id: 7,
  image: 8,
  bandwidth: 9,
  ports: 10,
  diskIo: 100,
  restarts: 101,
  composeProject: 102,
  composeService: 103,
  networkOf: 104,
  memoryLimit: 105,
  cpuLimit: 106,
} as const

export const containerEventKey = { atMs: 0, container: 1, exitCode: 2, outOfMemory: 3 } as const

export const serviceKey = { name: 0, state: 1, cpu: 2, memory: 3, memoryPeak: 4, subState: 5, cpuPeak: 6 } as const

export const pressureKey = { cpu: 0, memory: 1, io: 2 } as const

export const smartDeviceKey = {
  model: 1,
  serial: 2,
  firmware: 3,
  capacity: 4,
  status: 5,
  device: 6,
  type: 7,
  celsius: 8,
  attributes: 9,
  ageMs: 100,
} as const

export const smartAttributeKey = { id: 0, name: 1, value: 2, worst: 3, threshold: 4, raw: 5, rawText: 6, failed: 7 } as const

/** List of the battery states, in the order of their numbers in the agent protocol: the index of a state is its number. */
export const batteryStates: readonly BatteryState[] = ['unknown', 'empty', 'full', 'charging', 'discharging', 'idle']
export const containerHealths: readonly ContainerHealth[] = ['none', 'starting', 'healthy', 'unhealthy']
export const operatingSystems: readonly OperatingSystem[] = ['linux', 'macos', 'windows', 'freebsd']
export const serviceStates: readonly ServiceState[] = ['active', 'inactive', 'failed', 'activating', 'deactivating', 'reloading']
export const serviceSubStates: readonly ServiceSubState[] = ['dead', 'running', 'exited', 'failed', 'other']
export const hostScopedFamilies: readonly HostScopedFamily[] = ['cpu', 'memory', 'load', 'temperatures']
/**
 * List of the groups of metrics whose values a sample may repeat from an earlier reading. The index of a group is its key in the CBOR map
 * of ages.
 */
export const agedFamilies: readonly AgedFamily[] = [
  'cpu',
  'memory',
  'swap',
  'load',
  'uptimeSeconds',
  'rootDisk',
  'extraDisks',
  'network',
  'temperatures',
  'fans',
  'battery',
  'batteries',
  'gpus',
  'pressure',
  'containers',
  'services',
  'serviceCounts',
]
export const linkCodes = { ssh: 1, websocket: 2 } as const
