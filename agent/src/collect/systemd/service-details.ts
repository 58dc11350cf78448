import type { CborMap, CborValue } from '@vedette/protocol/cbor/value'
import { busSocket } from './bus-socket.ts'
import { CallRefused, type BusParts } from './dbus-connection.ts'
import { connectSystemd, isAbsence, type SystemdBus } from './systemd-bus.ts'
import { isUnitName, shownName } from './units.ts'

/** Error: the properties of a systemd service, requested by a hub, cannot be read. Its message is sent to the hub. */
export class ServiceDetailsFailed extends Error {
  override readonly name = 'ServiceDetailsFailed'
}

/**
 * Names of the D-Bus properties of a service, such as `MainPID`, that a hub gets besides the properties that every unit has;
 * org.freedesktop.systemd1(5).
 */
const SERVICE_PROPERTIES = [
  'MainPID',
  'ExecMainPID',
  'TasksCurrent',
  'TasksMax',
  'MemoryCurrent',
  'MemoryPeak',
  'MemoryLimit',
  'CPUUsageNSec',
  'NRestarts',
  'ExecMainStartTimestampRealtime',
  'Result',
]

/** Number (2^64 − 1) that systemd reports for "infinite" and for values that it does not measure. */
const INFINITY = 2n ** 64n - 1n

const DEADLINE_MS = 4500

/**
 * Reads all properties of a systemd unit, and selected ones of its service, and resolves with a map from D-Bus name to value. Infinite and
 * not accounted values of the service are `null`; `name` may lack `.service`, and may have decoded `\xNN` escapes. Rejects with an Error,
 * also after 4.5 s.
 */
export async function serviceDetails(parts: BusParts, name: string): Promise<CborMap> {
  const socket = busSocket(parts.runtime)
  if (socket === undefined) throw new ServiceDetailsFailed('unsupported operation')
  return parts.loop.within(DEADLINE_MS, 'Asking systemd', readDetails(parts, socket, unitOf(name)))
}

/** Regular expression that matches the display name of a systemd unit: no slash, white space or control characters. */
const SHOWN_NAME = /^[^\s/\p{Cc}]{1,255}$/u

function unitOf(name: string): string {
  const unit = /\.(service|timer)$/.test(name) ? name : `${name}.service`
  if (!SHOWN_NAME.test(name) || !SHOWN_NAME.test(unit)) throw new ServiceDetailsFailed('invalid service name')
  return unit
}

async function readDetails(parts: BusParts, socket: string, unit: string): Promise<CborMap> {
  const manager = await connectSystemd(parts, socket)
  try {
    const objectPath = await findUnit(parts, manager, unit)
    const details = new Map<number | string, CborValue>(await manager.properties(objectPath, 'Unit'))
    if (!unit.endsWith('.service')) return details
    const service = await manager.properties(objectPath, 'Service')
    for (const name of SERVICE_PROPERTIES) {
      const value = service.get(name)
      if (value !== undefined) details.set(name, value === INFINITY ? null : value)
    }
    return details
  } catch (error) {
    throw isAbsence(error) ? new ServiceDetailsFailed('unsupported operation') : error
  } finally {
    manager.close()
  }
}

async function findUnit(parts: BusParts, manager: SystemdBus, unit: string): Promise<string> {
  try {
    if (isUnitName(unit)) return await manager.findUnit(unit)
  } catch (error) {
    if (!(error instanceof CallRefused) || isAbsence(error)) throw error
  }
  const shown = unit.replace(/\.service$/, '')
  const units = await manager.listUnits([unit.endsWith('.timer') ? '*.timer' : '*.service'])
  const found = units.find(({ name }) => shownName(name, parts.runtime.bytes.fromUtf8) === shown)
  if (found === undefined) throw new ServiceDetailsFailed(`Unit ${unit} is not loaded`)
  return found.objectPath
}
