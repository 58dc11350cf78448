import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Loop } from '../../runtime/deadline.ts'
import type { Bytes, Runtime, StreamEvent } from '../../runtime/runtime.ts'
import { decodeMessage, encodeCall, messageLength, type DbusCall, type DbusMessage } from './dbus-message.ts'

/** Error: the D-Bus connection could not be opened or has broken, so no more calls are possible on it. */
export class BusLost extends Error {
  override readonly name = 'BusLost'
}

/** Error: the called service, or the bus itself, refused a D-Bus method call with an error reply. `errorName` is its D-Bus error name. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  /** Name of a D-Bus error, from the error reply, such as `org.freedesktop.DBus.Error.ServiceUnknown`. */
  readonly errorName: string
  constructor(errorName: string, message: string) {
    super(message === '' ? errorName : message)
    this.errorName = errorName
  }
}

export type Bus = {
  /**
   * Calls a D-Bus method and resolves with the list of its return values. Rejects with `CallRefused` for an error reply, `BusLost` when the
   * connection breaks, or `DeadlineExceeded`.
   */
  readonly call: (call: DbusCall) => Promise<readonly CborValue[]>
  readonly close: () => void
}

export type BusParts = { readonly runtime: Runtime; readonly loop: Loop }

const HANDSHAKE_MS = 3000
const CALL_MS = 10_000

/** Maximum length in bytes, 16 KiB, of a line in the D-Bus handshake; a longer one ends the connection. */
const MAX_LINE_BYTES = 16 * 1024

type Waiting = { readonly resolve: (values: readonly CborValue[]) => void; readonly reject: (error: Error) => void }

/**
 * Connects to a D-Bus message bus as the user of this process (D-Bus Specification, "Authentication Protocol", EXTERNAL) and resolves with
 * the connection. When it fails, rejects with `BusLost`, `CallRefused` or `DeadlineExceeded`.
 */
export async function connectBus({ runtime, loop }: BusParts, socketPath: string): Promise<Bus> {
  const { utf8, fromUtf8 } = runtime.bytes
  const waiting = new Map<number, Waiting>()
  let lastSerial = 0
  let lost: BusLost | undefined
  let rest: Bytes = new Uint8Array()
  let isReady = false

  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined
  const ready = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })

  const lose = (reason: string): void => {
    lost ??= new BusLost(`Cannot ask the message bus at "${socketPath}": ${reason}`)
    settle?.reject(lost)
    for (const { reject } of waiting.values()) reject(lost)
    waiting.clear()
    socket.close()
  }

  const handshake = createHandshake((line) => socket.write(utf8(line)))

  const readLines = (): void => {
    while (!isReady && lost === undefined) {
      const end = rest.indexOf(LINE_FEED)
      if (end === -1) {
        if (rest.length > MAX_LINE_BYTES) lose('its handshake has no end')
        return
      }
      const line = fromUtf8(rest.subarray(0, end)).trim()
      rest = rest.subarray(end + 1)
      const step = handshake(line)
      if (step === 'done') {
        isReady = true
        settle?.resolve()
      } else if (step === 'refused') lose(`it refused this user: ${line}`)
    }
  }

  const readMessages = (): void => {
    for (;;) {
      const length = messageLength(rest)
      if (length === undefined || rest.length < length) return
      hear(decodeMessage(rest.subarray(0, length), fromUtf8))
      rest = rest.slice(length)
    }
  }

  const hear = ({ type, replySerial, errorName = '', values }: DbusMessage): void => {
    const caller = replySerial === undefined ? undefined : waiting.get(replySerial)
    if (caller === undefined || replySerial === undefined) return
    waiting.delete(replySerial)
    if (type === 'return') caller.resolve(values)
    else caller.reject(new CallRefused(errorName, typeof values[0] === 'string' ? values[0] : ''))
  }

  const onEvent = (event: StreamEvent): void => {
    if (event.kind === 'closed') return lose(event.reason)
    if (event.kind === 'open') return socket.write(utf8(`\0${firstLine(runtime.stat('/proc/self')?.owner ?? 0)}`))
    rest = joined(rest, event.data)
    try {
      if (!isReady) readLines()
      if (isReady) readMessages()
    } catch (error) {
      lose(error instanceof Error ? error.message : String(error))
    }
  }
  const socket = loop.connect(socketPath, onEvent)

  const call: Bus['call'] = async (request) => {
    if (lost !== undefined) throw lost
    const serial = ++lastSerial
    const answer = new Promise<readonly CborValue[]>((resolve, reject) => {
      waiting.set(serial, { resolve, reject })
      socket.write(encodeCall(request, serial, utf8))
    })
    try {
      return await loop.within(CALL_MS, `${request.member} on the message bus`, answer)
    } finally {
      waiting.delete(serial)
    }
  }

  try {
    await loop.within(HANDSHAKE_MS, `The handshake with the message bus at "${socketPath}"`, ready)
    // The bus requires `Hello` as the first call.
    await call({ destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus', member: 'Hello' })
  } catch (error) {
    socket.close()
    throw error
  }
  return { call, close: () => lose('it is closed') }
}

const LINE_FEED = 10

const joined = (a: Bytes, b: Bytes): Bytes => {
  if (a.length === 0) return b
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/**
 * Returns the first line that a client sends in the D-Bus handshake. The identity is the user id as text, in hexadecimal digits: `30` for
 * user 0.
 */
const firstLine = (owner: number): string =>
  `AUTH EXTERNAL ${String(owner)
    .split('')
    .map((digit) => digit.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')}\r\n`

/**
 * Creates the state machine of the D-Bus handshake. It returns a function that takes each line of the server and returns `more`, `done` or
 * `refused`. If the bus rejects the user id, as inside a user namespace, it tries once without an id.
 */
function createHandshake(write: (line: string) => void): (line: string) => 'more' | 'done' | 'refused' {
  let hasAskedToSee = false
  return (line) => {
    if (line.startsWith('OK')) {
      write('BEGIN\r\n')
      return 'done'
    }
    if (line.startsWith('DATA')) write('DATA\r\n')
    else if (line.startsWith('REJECTED') && !hasAskedToSee) {
      hasAskedToSee = true
      write('AUTH EXTERNAL\r\n')
    } else return 'refused'
    return 'more'
  }
}
