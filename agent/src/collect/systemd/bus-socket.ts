import type { Runtime } from '../../runtime/runtime.ts'

const SOCKETS = ['/run/dbus/system_bus_socket', '/var/run/dbus/system_bus_socket']

/**
 * Returns the path of the D-Bus system bus's unix socket: that in DBUS_SYSTEM_BUS_ADDRESS, else the default one; `undefined` when there is
 * none.
 */
export function busSocket(runtime: Runtime): string | undefined {
  const named = /^unix:path=(\/[^,;]+)/.exec(runtime.env('DBUS_SYSTEM_BUS_ADDRESS') ?? '')?.[1]
  return (named === undefined ? SOCKETS : [named]).find((path) => runtime.stat(path)?.kind === 'socket')
}
