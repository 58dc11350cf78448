import type { Runtime } from '../../runtime/runtime.ts'

const SOCKETS = ['/run/dbus/system_bus_socket', '/var/run/dbus/system_bus_socket']

/** The socket of the system's bus, or of the one that DBUS_SYSTEM_BUS_ADDRESS names; `undefined` without one. */
export function busSocket(runtime: Runtime): string | undefined {
  const named = /^unix:path=(\/[^,;]+)/.exec(runtime.env('DBUS_SYSTEM_BUS_ADDRESS') ?? '')?.[1]
  return (named === undefined ? SOCKETS : [named]).find((path) => runtime.stat(path)?.kind === 'socket')
}
