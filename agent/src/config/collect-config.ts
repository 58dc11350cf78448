import type { CollectOptions } from '../collect/collectors.ts'
import { parseEngineAddress, type EngineAddress } from '../collect/docker/client.ts'
import type { Runtime } from '../runtime.ts'
import { parseDurationMs } from '../text/durations.ts'
import { parseNameFilter } from '../text/glob.ts'
import type { OptionReader } from './option-reader.ts'
import type { OptionName } from './schema.ts'

/** What is read of the machine, and how. */
export function readCollect(reader: OptionReader, runtime: Runtime): CollectOptions {
  const sys = reader.text('HOST_SYS') ?? '/sys'
  const nics = reader.given('NICS')
  const sensors = reader.given('SENSORS')?.trim()
  return {
    roots: { proc: reader.text('HOST_PROC') ?? '/proc', sys, etc: reader.text('HOST_ETC') ?? '/etc' },
    sensorsRoot: reader.text('SYS_SENSORS') ?? sys,
    memoryCalculation: reader.text('MEM_CALC') === 'htop' ? 'htop' : 'available',
    filesystem: reader.text('FILESYSTEM'),
    interfaces: nics === undefined ? undefined : parseNameFilter(nics.trim()),
    sensors: sensors === '' ? { mode: 'off' } : { mode: 'on', filter: sensors === undefined ? undefined : parseNameFilter(sensors) },
    primarySensor: reader.text('PRIMARY_SENSOR'),
    sensorsTimeoutMs: readDuration(reader, 'SENSORS_TIMEOUT', 2000),
    engine: readEngine(reader, runtime),
    engineTimeoutMs: readDuration(reader, 'DOCKER_TIMEOUT', 2100),
    excludedContainers: parseNameFilter(reader.text('EXCLUDE_CONTAINERS') ?? '').patterns,
  }
}

function readDuration(reader: OptionReader, name: OptionName, byDefaultMs: number): number {
  const text = reader.text(name)
  const durationMs = text === undefined ? byDefaultMs : parseDurationMs(text)
  if (durationMs === undefined || durationMs <= 0) {
    reader.refuse(`${name}: "${text}" is no duration such as 2.1s`)
    return byDefaultMs
  }
  return durationMs
}

/** Without a setting the first socket there is; it may also appear later, so Docker's path is kept when there is none. */
function readEngine(reader: OptionReader, runtime: Runtime): EngineAddress | undefined {
  const text = reader.given('DOCKER_HOST')?.trim()
  if (text === '') return undefined
  if (text !== undefined) {
    const address = parseEngineAddress(text)
    if (address === undefined) reader.refuse(`DOCKER_HOST: "${text}" is no unix:///path, tcp://host:port or http(s)://host:port`)
    return address
  }
  const owner = runtime.stat('/proc/self')?.owner ?? 0
  const paths = ['/var/run/docker.sock', `/run/user/${owner}/podman/podman.sock`, '/run/podman/podman.sock']
  const path = paths.find((one) => runtime.stat(one)?.kind === 'socket')
  return path === undefined ? undefined : { kind: 'unix', path }
}
