import type { CollectOptions } from '../collect/collectors.ts'
import { parseNamedFilesystem, type NamedFilesystem } from '../collect/disks/extra-filesystems.ts'
import { parseEngineAddress, type EngineSetting } from '../collect/docker/engine-address.ts'
import { parseDurationMs } from '../text/durations.ts'
import { parseNameFilter } from '../text/glob.ts'
import { readGpus } from './gpu-config.ts'
import type { OptionReader } from './option-reader.ts'
import type { OptionName } from './schema.ts'
import { readServices } from './service-config.ts'
import { readDiskHealth } from './smart-config.ts'

/**
 * Returns the options of all collectors (readers of one kind of metric each), from the agent's flags and environment variables. Invalid
 * options are reported with `reader.refuse`.
 */
export function readCollect(reader: OptionReader): CollectOptions {
  const sys = reader.text('HOST_SYS') ?? '/sys'
  const nics = reader.given('NICS')
  const sensors = reader.given('SENSORS')?.trim()
  return {
    roots: {
      proc: reader.text('HOST_PROC') ?? '/proc',
      sys,
      etc: reader.text('HOST_ETC') ?? '/etc',
      mountInfo: reader.text('HOST_PROC_MOUNTINFO'),
    },
    sensorsRoot: reader.text('SYS_SENSORS') ?? sys,
    memoryCalculation: reader.text('MEM_CALC') === 'htop' ? 'htop' : 'available',
    filesystem: reader.text('FILESYSTEM'),
    extraFilesystems: readExtraFilesystems(reader),
    diskUsageKeptMs: readUsageKeptMs(reader),
    interfaces: nics === undefined ? undefined : parseNameFilter(nics.trim()),
    sensors: sensors === '' ? { mode: 'off' } : { mode: 'on', filter: sensors === undefined ? undefined : parseNameFilter(sensors) },
    primarySensor: reader.text('PRIMARY_SENSOR'),
    sensorsTimeoutMs: readDuration(reader, 'SENSORS_TIMEOUT', 2000),
    gpus: readGpus(reader),
    services: readServices(reader),
    diskHealth: readDiskHealth(reader),
    diskHealthIntervalMs: optionalDuration(reader, 'SMART_INTERVAL'),
    tags: readTags(reader),
    engine: readEngine(reader),
    engineTimeoutMs: readDuration(reader, 'DOCKER_TIMEOUT', 2100),
    excludedContainers: parseNameFilter(reader.text('EXCLUDE_CONTAINERS') ?? '').patterns,
  }
}

/** Maximum number of tags, 50, that the agent sends. A hub stores at most as many for each system. */
const MOST_TAGS = 50

/**
 * Reads the option TAGS, separated by commas, and returns the list of its tags without duplicates. Only the first 50 are returned; more
 * cause a warning. The hub checks their texts.
 */
function readTags(reader: OptionReader): readonly string[] {
  const tags = new Set((reader.text('TAGS') ?? '').split(',').map((tag) => tag.trim()))
  tags.delete('')
  if (tags.size > MOST_TAGS) reader.remark(`TAGS has ${tags.size} tags; the first ${MOST_TAGS} are used`)
  return [...tags].slice(0, MOST_TAGS)
}

const optionalDuration = (reader: OptionReader, name: OptionName): number | undefined =>
  reader.text(name) === undefined ? undefined : readDuration(reader, name, 0)

function readDuration(reader: OptionReader, name: OptionName, byDefaultMs: number): number {
  const text = reader.text(name)
  const durationMs = text === undefined ? byDefaultMs : parseDurationMs(text)
  if (durationMs === undefined || durationMs <= 0) {
    reader.refuse(`${name}: "${text}" is not a duration such as 2.1s`)
    return byDefaultMs
  }
  return durationMs
}

/** Reads the option DISK_USAGE_CACHE, a duration, and returns it in ms. 0 (also with a unit, or when not set) means no cache. */
const readUsageKeptMs = (reader: OptionReader): number =>
  /^0[a-z]*$/.test(reader.text('DISK_USAGE_CACHE') ?? '0') ? 0 : (optionalDuration(reader, 'DISK_USAGE_CACHE') ?? 0)

/**
 * Reads the option EXTRA_FILESYSTEMS and returns the list of its entries: device or mount point, and display name. An empty list means no
 * extra filesystem; `undefined` (not set) means automatic detection.
 */
function readExtraFilesystems(reader: OptionReader): readonly NamedFilesystem[] | undefined {
  const text = reader.given('EXTRA_FILESYSTEMS')
  const entries = text?.split(',').map((entry) => entry.trim())
  return entries?.filter((entry) => entry !== '').map(parseNamedFilesystem)
}

/**
 * Reads the option DOCKER_HOST and returns the setting for Docker or Podman: the address, or disabled for an empty or invalid text. An
 * invalid one is reported. If it is not set, the agent searches for one repeatedly, because it may be installed later.
 */
function readEngine(reader: OptionReader): EngineSetting {
  const text = reader.given('DOCKER_HOST')?.trim()
  if (text === '') return { mode: 'off' }
  if (text === undefined) return { mode: 'search' }
  const address = parseEngineAddress(text)
  if (address !== undefined) return { mode: 'fixed', address }
  reader.refuse(`DOCKER_HOST: "${text}" is not unix:///path, tcp://host:port or http(s)://host:port`)
  return { mode: 'off' }
}
