import { nativeHost } from './native-host.ts'

/** Ids of the loop's timers; the tests themselves have clocks of their own. */
let lastId = 0
const waiting = new Map<number, () => void>()

/** Replaces the global function, which the property testing library needs. */
export function setTimeout(run: () => void, ms: number): number {
  waiting.set(++lastId, run)
  nativeHost.timer(lastId, ms)
  return lastId
}

export function clearTimeout(id: number): void {
  if (waiting.delete(id)) nativeHost.timer(id, -1)
}

/** Everything that was started has its turn. Takes the place of the one of `node:timers/promises`. */
export const setImmediate = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0))

const unexpected = (): never => {
  throw new Error('A unit test reached out of its process')
}

/** Hears of turns, and of nothing else: no unit test opens anything. */
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
