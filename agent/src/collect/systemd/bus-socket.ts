import type { Runtime } from '../../runtime/runtime.ts'

const SOCKETS = ['/run/dbus/system_bus_socket', '/var/run/dbus/system_bus_socket']

/**
 * Returns the path of the D-Bus system bus's unix socket: that in DBUS_SYSTEM_BUS_ADDRESS, or without one the first default path that
 * exists. `undefined` when there is no such socket.
 */
export function busSocket(runtime: Runtime): string | undefined {
  const named = /^unix:path=(\/[^,;]+)/.exec(runtime.env('DBUS_SYSTEM_BUS_ADDRESS') ?? '')?.[1]
  return (named === undefined ? SOCKETS : [named]).find((path) => runtime.stat(path)?.kind === 'socket')
}
