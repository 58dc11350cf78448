import type { Runtime, RuntimeEvents } from '../../src/runtime/runtime.ts'
import { plain, revived, type Wire } from './driver-wire.ts'

/** Runtime of the native host, a global object that `agent/native/src/script.rs` defines. */
declare const vedetteHost: Runtime

/** Id of the connection to the test. The calls under test use smaller ids. */
const OWN_STREAM = 1_000_000_000

/** Path of the socket to the test. Each line is a call, its result or an event. */
const socket = vedetteHost.env('VEDETTE_TEST_SOCKET') ?? ''
let unread = ''

const say = (message: Wire): void => vedetteHost.streamWrite(OWN_STREAM, vedetteHost.bytes.utf8(`${JSON.stringify(message)}\n`))
const heard =
  (event: keyof RuntimeEvents) =>
  (...args: readonly unknown[]): void =>
    say({ event, args: args.map(plain) })

vedetteHost.listen({
  onTimer: heard('onTimer'),
  onHttp: heard('onHttp'),
  onHttpMembers: heard('onHttpMembers'),
  onSlowTexts: heard('onSlowTexts'),
  onStream: (id, event) => {
    if (id !== OWN_STREAM) return heard('onStream')(id, event)
    if (event.kind === 'closed') vedetteHost.exit(0)
    if (event.kind === 'data') hear(vedetteHost.bytes.fromUtf8(event.data))
  },
  onExec: heard('onExec'),
  onWsOpen: heard('onWsOpen'),
  onWsMessage: heard('onWsMessage'),
  onWsClose: heard('onWsClose'),
  onSsh: heard('onSsh'),
  onSshServer: heard('onSshServer'),
  onSignalReceived: heard('onSignalReceived'),
})
vedetteHost.streamOpen(OWN_STREAM, socket)

function hear(text: string): void {
  const lines = (unread + text).split('\n')
  unread = lines.pop() ?? ''
  for (const line of lines) say({ result: plain(call(JSON.parse(line) as { readonly call: string; readonly args: readonly Wire[] })) })
}

/** Exceeds the host's time limit (`spin`) or memory limit (`fill`), in a job that runs after the call has returned. */
function goTooFar(how: 'spin' | 'fill'): void {
  void Promise.resolve().then(() => {
    const taken: Uint8Array[] = []
    for (;;) if (how === 'fill') taken.push(new Uint8Array(1024 * 1024))
  })
}

/** Calls a function of the runtime by its name, such as `readText` or `bytes.utf8`. */
function call({ call: name, args }: { readonly call: string; readonly args: readonly Wire[] }): unknown {
  if (name === 'spin' || name === 'fill') return goTooFar(name)
  const [first = '', second] = name.split('.')
  const found: unknown = Reflect.get(second === undefined ? vedetteHost : vedetteHost.bytes, second ?? first)
  if (typeof found !== 'function') throw new Error(`There is no call "${name}"`)
  return Reflect.apply(found, undefined, args.map(revived))
}
