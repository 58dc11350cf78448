import type { CborValue } from '@vedette/protocol/cbor/value'
import type { ServiceState, ServiceSubState } from '@vedette/protocol/metrics/sample'
import type { ByteTools } from '../../runtime/runtime.ts'
import { longName } from '../../text/long-name.ts'

/** systemd unit as in the response of the D-Bus method `ListUnits`, org.freedesktop.systemd1(5): name, state, sub-state and object path. */
export type Unit = {
  /** Full name of the systemd unit, such as `ssh.service`. */
  readonly name: string
  readonly state: ServiceState
  readonly subState: ServiceSubState
  readonly objectPath: string
}

const states: readonly ServiceState[] = ['active', 'inactive', 'failed', 'activating', 'deactivating', 'reloading']
const subStates: readonly ServiceSubState[] = ['dead', 'running', 'exited', 'failed']

/** Regular expression that matches a valid name of a systemd unit, such as `ssh.service`; systemd.unit(5). */
const NAME = /^[A-Za-z0-9:_.\\@-]{1,255}$/
const OBJECT_PATH = /^\/[A-Za-z0-9_/]{1,1000}$/

export const isUnitName = (name: string): boolean => NAME.test(name)

/**
 * Parses the response of systemd's D-Bus method `ListUnits` and returns the units as a list. Its entries have the signature `(ssssssouso)`:
 * name, description, load state, active state, sub-state, follower, path, job. Invalid entries, and units whose load state is `not-found`,
 * are left out.
 */
export function parseUnits(list: CborValue | undefined): readonly Unit[] {
  return (Array.isArray(list) ? (list as readonly CborValue[]) : []).flatMap((entry) => {
    const [name, , loadState, state, subState, , objectPath] = Array.isArray(entry) ? (entry as readonly CborValue[]) : []
    if (typeof name !== 'string' || !isUnitName(name) || typeof objectPath !== 'string' || !OBJECT_PATH.test(objectPath)) return []
    // A name that others refer to, without a unit of that name on this machine.
    if (loadState === 'not-found') return []
    return [
      {
        name,
        state: states.find((one) => one === state) ?? 'inactive',
        subState: subStates.find((one) => one === subState) ?? 'other',
        objectPath,
      },
    ]
  })
}

/** Returns the display name of a systemd unit: `ssh` for `ssh.service`, `luks-abc` for `luks\x2dabc`. */
export function shownName(unit: string, fromUtf8: ByteTools['fromUtf8']): string {
  const name = unit.replace(/\.service$/, '')
  return longName(
    name.replaceAll(/(?:\\x[0-9a-f]{2})+/gi, (run) => fromUtf8(Uint8Array.from(run.slice(2).split('\\x'), (hex) => Number(`0x${hex}`)))),
  )
}

/** Converts a configured pattern to a pattern of unit names: `.service` is added, unless it ends in `.service` or `timer`. */
export const unitPattern = (pattern: string): string => (/\.(service|timer)$|timer$/.test(pattern) ? pattern : `${pattern}.service`)
