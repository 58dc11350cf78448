import type { Runtime, RuntimeEvents } from '../../src/runtime.ts'
import { plain, revived, type Wire } from './driver-wire.ts'

/** What the native host offers under this name, `agent/native/src/script.rs`. */
declare const vedetteHost: Runtime

/** The test's own socket among the ids of the calls under test. */
const OWN_STREAM = 1_000_000_000

/** Does what a test tells it to over a socket: a line is a call, its answer a line, and so is each event. */
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

/** What no agent does, a moment after it is answered: takes all the time, or all the memory. */
function goTooFar(how: 'spin' | 'fill'): void {
  void Promise.resolve().then(() => {
    const taken: Uint8Array[] = []
    for (;;) if (how === 'fill') taken.push(new Uint8Array(1024 * 1024))
  })
}

/** `readText`, or `bytes.utf8`. */
function call({ call: name, args }: { readonly call: string; readonly args: readonly Wire[] }): unknown {
  if (name === 'spin' || name === 'fill') return goTooFar(name)
  const [first = '', second] = name.split('.')
  const found: unknown = Reflect.get(second === undefined ? vedetteHost : vedetteHost.bytes, second ?? first)
  if (typeof found !== 'function') throw new Error(`There is no call "${name}"`)
  return Reflect.apply(found, undefined, args.map(revived))
}
