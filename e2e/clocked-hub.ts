import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { systemClock, type Clock } from '../hub/src/platform/clock.ts'
import { parseHubConfig, type HubConfig } from '../hub/src/startup/config.ts'
import { startHub } from '../hub/src/hub.ts'
import { openStores, type Stores } from '../hub/src/startup/open-stores.ts'
import { silentLog } from '../hub/test/databases.ts'

/** Hub's clock in a test: `move` moves it by `byMs` ms. Otherwise it runs at normal speed or stands still. */
export type MovedClock = Clock & { readonly move: (byMs: number) => void }

export function clockFrom(startMs: number): MovedClock {
  let aheadMs = startMs - Date.now()
  return { now: () => Date.now() + aheadMs, move: (byMs) => void (aheadMs += byMs) }
}

/** Creates a hub's clock that shows `startMs` (epoch ms) until it is moved, so that a slow machine does not change the result of a test. */
export function standingClock(startMs: number): MovedClock {
  let nowMs = startMs
  return { now: () => nowMs, move: (byMs) => void (nowMs += byMs) }
}

/**
 * Opens the database and the data folder of a stopped hub, calls `write` to add test data, and closes both, then resolves. `args` are the
 * hub's command line options; `clock` is the time that the stores use.
 */
export async function prepareData(args: readonly string[], write: (stores: Stores) => Promise<void>, clock: Clock = systemClock) {
  await using stack = new AsyncDisposableStack()
  await write(await openStores({ config: configOf(args), plainLog: () => silentLog, clock, stack }))
}

/**
 * Starts a real hub in the test's process with `clock` as its time, also in the `Date` response header. Resolves when it listens, with an
 * object whose disposal stops the hub.
 */
export async function startClockedHub(args: readonly string[], clock: Clock): Promise<AsyncDisposable> {
  const hub = await startHub(configOf(args), () => silentLog, clock)
  const date = (message: unknown) => {
    const { response } = message as { readonly response: ServerResponse } // as Node documents this channel
    response.setHeader('date', new Date(clock.now()).toUTCString())
  }
  subscribe('http.server.request.start', date)
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe('http.server.request.start', date)
      await hub.close()
    },
  }
}

function configOf(args: readonly string[]): HubConfig {
  const parsed = parseHubConfig(args, {})
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}
