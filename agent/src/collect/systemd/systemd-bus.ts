import type { CborMap, CborValue } from '@vedette/protocol/cbor/value'
import { isCborMap } from '@vedette/protocol/cbor/value'
import { matchesGlob } from '../../text/glob.ts'
import { CallRefused, connectBus, type Bus, type BusParts } from './dbus-connection.ts'
import { parseUnits, type Unit } from './units.ts'

/** Functions that read systemd over D-Bus, org.freedesktop.systemd1(5): list and find units, read their properties. They change nothing. */
export type SystemdBus = {
  readonly listUnits: (patterns: readonly string[]) => Promise<readonly Unit[]>
  /**
   * Resolves with the D-Bus object path (text) of the systemd unit with this full name, such as `ssh.service`. Rejects with `CallRefused`
   * when systemd has not loaded it.
   */
  readonly findUnit: (name: string) => Promise<string>
  /**
   * Reads one property of a systemd unit, given by its object path, over D-Bus. Resolves with its value; `undefined` when systemd refuses,
   * as when unit or property does not exist. Rejects when the connection breaks.
   */
  readonly property: (objectPath: string, kind: 'Unit' | 'Service', name: string) => Promise<CborValue | undefined>
  readonly properties: (objectPath: string, kind: 'Unit' | 'Service') => Promise<CborMap>
  readonly close: () => void
}

const DESTINATION = 'org.freedesktop.systemd1'
const MANAGER = { destination: DESTINATION, path: '/org/freedesktop/systemd1', interface: `${DESTINATION}.Manager` }
const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** Returns true when a D-Bus error means that this machine does not run systemd, so that the agent reports no services. */
export const isAbsence = (error: unknown): boolean =>
  error instanceof CallRefused && /\.(ServiceUnknown|NameHasNoOwner|Spawn\.\w+)$/.test(error.errorName)

const isUnknown = (error: unknown): boolean =>
  error instanceof CallRefused && /\.(Unknown(Method|Property|Interface|Object)|InvalidArgs|PropertyReadOnly)$/.test(error.errorName)

export async function connectSystemd(parts: BusParts, socketPath: string): Promise<SystemdBus> {
  return systemdBus(await connectBus(parts, socketPath))
}

function systemdBus(bus: Bus): SystemdBus {
  /**
   * Requests systemd units by name patterns and resolves with the unparsed list of the response. Needs systemd 230; from older versions all
   * units are requested.
   */
  const listByPatterns = async (patterns: readonly string[]): Promise<CborValue | undefined> => {
    try {
      const [list] = await bus.call({ ...MANAGER, member: 'ListUnitsByPatterns', signature: 'asas', values: [[], patterns] })
      return list
    } catch (error) {
      if (!isUnknown(error)) throw error
      return (await bus.call({ ...MANAGER, member: 'ListUnits' }))[0]
    }
  }

  const ask = (objectPath: string, member: string, values: readonly string[]): Promise<readonly CborValue[]> =>
    bus.call({ destination: DESTINATION, path: objectPath, interface: PROPERTIES, member, signature: 's'.repeat(values.length), values })

  return {
    listUnits: async (patterns) =>
      parseUnits(await listByPatterns(patterns)).filter(({ name }) => patterns.some((pattern) => matchesGlob(pattern, name))),
    findUnit: async (name) => {
      const [path] = await bus.call({ ...MANAGER, member: 'GetUnit', signature: 's', values: [name] })
      return typeof path === 'string' ? path : ''
    },
    property: async (objectPath, kind, name) => {
      try {
        return (await ask(objectPath, 'Get', [`${DESTINATION}.${kind}`, name]))[0]
      } catch (error) {
        // An older systemd has not all of them, and a unit may go at any moment.
        if (error instanceof CallRefused) return undefined
        throw error
      }
    },
    properties: async (objectPath, kind) => {
      const [map] = await ask(objectPath, 'GetAll', [`${DESTINATION}.${kind}`])
      return isCborMap(map) ? map : new Map()
    },
    close: bus.close,
  }
}
