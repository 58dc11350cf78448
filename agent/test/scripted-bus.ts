import { writeDbus, type DbusWritable } from '../src/collect/systemd/dbus-write.ts'
import { decodeMessage, encodeMessage, messageLength, type DbusMessage } from '../src/collect/systemd/dbus-message.ts'
import { byteTools } from '../src/runtime/node/byte-tools.ts'

/** systemd unit on the fake message bus. The bus follows the D-Bus Specification and org.freedesktop.systemd1(5). */
export type ScriptedUnit = {
  readonly name: string
  readonly active: string
  readonly sub: string
  readonly unit: Properties
  readonly service?: Properties
}
export type Properties = Readonly<Record<string, { readonly signature: string; readonly value: DbusWritable }>>

export type ScriptedBus = {
  units: readonly ScriptedUnit[]
  /** Returns the reply to a line of the handshake. Without it, the bus replies as in the specification. */
  handshake?: (line: string) => string
  /** Replaces the reply to a call by an error or by silence; `undefined` keeps the reply. */
  intervene?: (call: DbusMessage) => { readonly error: string } | 'silent' | undefined
  /** Calls so far, such as `Get /unit/a Service.MemoryPeak`. */
  readonly asked: string[]
  /** Accepts a connection: takes a function that writes to the client, and returns one that receives the client's bytes. */
  readonly accept: (write: (bytes: Uint8Array) => void) => (data: Uint8Array) => void
}

const pathOf = (name: string): string =>
  `/org/freedesktop/systemd1/unit/${name.replaceAll(/[^A-Za-z0-9]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}`)}`

type Reply = { readonly signature: string; readonly values: readonly DbusWritable[]; readonly error?: string }
type Answer = { readonly signature: string; readonly values: readonly DbusWritable[] } | { readonly error: string } | undefined

export function scriptedBus(units: readonly ScriptedUnit[]): ScriptedBus {
  const bus: ScriptedBus = {
    units,
    asked: [],
    accept: (write) => {
      let rest: Uint8Array = new Uint8Array()
      let hasBegun = false
      let serial = 100
      const reply = (call: DbusMessage, { signature, values, error }: Reply): void => {
        const fields: [number, { signature: string; value: DbusWritable }][] = [[5, { signature: 'u', value: call.serial }]]
        if (signature !== '') fields.push([8, { signature: 'g', value: signature }])
        if (error !== undefined) fields.push([4, { signature: 's', value: error }])
        const header = { type: error === undefined ? 2 : 3, flags: 1, serial: ++serial, fields }
        write(encodeMessage(header, writeDbus(signature, values, byteTools.utf8), byteTools.utf8))
      }
      const answer = (call: DbusMessage): void => {
        const intervention = bus.intervene?.(call)
        const [first = '', second = ''] = call.values.map(String)
        bus.asked.push([call.member, call.path?.replace(/^.*\/(?=[^/]+$)/, ''), first, second].join(' ').trim())
        if (intervention === 'silent') return
        const result = intervention ?? answerTo(bus.units, call, first, second)
        if (result !== undefined && !('error' in result)) reply(call, result)
        else reply(call, { signature: 's', values: ['no'], error: result?.error ?? 'org.freedesktop.DBus.Error.UnknownMethod' })
      }
      const lines = (): void => {
        for (let end = rest.indexOf(10); end !== -1 && !hasBegun; end = rest.indexOf(10)) {
          const line = byteTools.fromUtf8(rest.subarray(0, end)).replace(/^\0/, '').trim()
          rest = rest.slice(end + 1)
          hasBegun = line === 'BEGIN'
          const said = (bus.handshake ?? ((text) => (text.startsWith('AUTH EXTERNAL') ? 'OK 1234deadbeef\r\n' : '')))(line)
          if (said !== '') write(byteTools.utf8(said))
        }
      }
      return (data) => {
        rest = Uint8Array.from([...rest, ...data])
        if (!hasBegun) lines()
        for (
          let length = hasBegun ? messageLength(rest) : undefined;
          length !== undefined && rest.length >= length;
          length = messageLength(rest)
        ) {
          const call = decodeMessage(rest.subarray(0, length), byteTools.fromUtf8)
          rest = rest.slice(length)
          answer(call)
        }
      }
    },
  }
  return bus
}

function answerTo(units: readonly ScriptedUnit[], { member, path }: DbusMessage, first: string, second: string): Answer {
  const properties = units.find((one) => pathOf(one.name) === path)?.[first.endsWith('.Service') ? 'service' : 'unit']
  switch (member) {
    case 'Hello':
      return { signature: 's', values: [':1.5'] }
    case 'ListUnitsByPatterns':
    case 'ListUnits':
      return { signature: 'a(ssssssouso)', values: [units.map(entryOf)] }
    case 'GetUnit':
      return units.some(({ name }) => name === first)
        ? { signature: 'o', values: [pathOf(first)] }
        : { error: 'org.freedesktop.systemd1.NoSuchUnit' }
    case 'Get':
      return propertyOf(properties, second)
    case 'GetAll':
      return propertiesOf(properties)
    case undefined:
    default:
      return undefined
  }
}

const entryOf = ({ name, active, sub }: ScriptedUnit) =>
  [name, `About ${name}`, 'loaded', active, sub, '', pathOf(name), 0, '', '/'] as const

function propertyOf(properties: Properties | undefined, name: string): Answer {
  const value = properties?.[name]
  return value === undefined ? { error: 'org.freedesktop.DBus.Error.UnknownProperty' } : { signature: 'v', values: [value] }
}

const propertiesOf = (properties: Properties | undefined): Answer =>
  properties === undefined
    ? { error: 'org.freedesktop.DBus.Error.UnknownInterface' }
    : { signature: 'a{sv}', values: [Object.entries(properties)] }

export const INFINITY = 2n ** 64n - 1n
const t = (value: number | bigint) => ({ signature: 't', value })

/** Returns a running service with the given CPU time and memory. */
export const runningService = (name: string, cpuNs: number | bigint, memoryBytes: number | bigint = 1_000_000): ScriptedUnit => ({
  name,
  active: 'active',
  sub: 'running',
  unit: {
    Id: { signature: 's', value: name },
    ActiveEnterTimestamp: t(1_700_000_000_000_000),
    JobTimeoutUSec: t(INFINITY),
    InvocationID: { signature: 'ay', value: [1, 2, 255] },
    Documentation: { signature: 'as', value: ['man:sshd(8)'] },
    Conditions: { signature: 'a(sbbsi)', value: [['ConditionPathExists', false, true, '/x', 1]] },
    CanStart: { signature: 'b', value: true },
  },
  service: {
    MainPID: { signature: 'u', value: 4321 },
    CPUUsageNSec: t(cpuNs),
    MemoryCurrent: t(memoryBytes),
    MemoryPeak: t(INFINITY),
    TasksMax: t(INFINITY),
    NRestarts: { signature: 'u', value: 2 },
    Result: { signature: 's', value: 'success' },
    Environment: { signature: 'as', value: ['PASSWORD=hunter2'] },
  },
})
