import { nativeHost } from './native-host.ts'

/** Last id of a timer of this event loop. The tests use clocks of their own. */
let lastId = 0
const waiting = new Map<number, () => void>()

/** Replacement for the global `setTimeout`, which the property testing library needs. */
export function setTimeout(run: () => void, ms: number): number {
  waiting.set(++lastId, run)
  nativeHost.timer(lastId, ms)
  return lastId
}

export function clearTimeout(id: number): void {
  if (waiting.delete(id)) nativeHost.timer(id, -1)
}

/** Replacement for `setImmediate` of `node:timers/promises`: resolves in the next turn of the event loop. */
export const setImmediate = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0))

const unexpected = (): never => {
  throw new Error('A unit test reached out of its process')
}

/** Listens to the host's timers. Any other event throws, because unit tests open nothing. */
export function listenForTurns(): void {
  nativeHost.listen({
    onTimer: (id) => {
      const run = waiting.get(id)
      waiting.delete(id)
      run?.()
    },
    onHttp: unexpected,
    onSlowTexts: unexpected,
    onHttpMembers: unexpected,
    onStream: unexpected,
    onExec: unexpected,
    onWsOpen: unexpected,
    onWsMessage: unexpected,
    onWsClose: unexpected,
    onSsh: unexpected,
    onSshServer: unexpected,
    onSignalReceived: unexpected,
  })
}
