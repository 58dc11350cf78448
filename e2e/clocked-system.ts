import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import type { MovedClock } from './clocked-hub.ts'
import { watchAxes } from './pages-axis.ts'
import { startPagesHub, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, type PastSystem } from './past-samples.ts'

const MINUTE_MS = 60_000

export type ClockedSystem = AsyncDisposable & {
  readonly hub: PagesHub
  readonly admin: Session
  readonly clock: MovedClock
  readonly id: string
  /**
   * Opens a page whose clock shows the hub's time, and resolves when its first chart is drawn. English and the time zone of Berlin unless
   * `options` say otherwise.
   */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /**
   * Moves the clocks of the test's hub and browser page forward by a minute. It also changes the system's address, so that the hub polls
   * the agent. Resolves without waiting for the sample.
   */
  readonly passMinute: (page: Page) => Promise<void>
}

type Scene = {
  readonly clock: MovedClock
  /** Returns the sample with which the agent responds to the hub's next poll. */
  readonly sample: () => Sample
} & Pick<PastSystem, 'samples' | 'statuses'>

/**
 * Starts a hub with the given clock and with one system, "gauge", its past samples and an agent that returns `sample()`. Resolves with the
 * hub, its admin and clock, the id of the system, and functions such as `open`.
 */
export async function clockedSystem({ clock, sample, ...past }: Scene): Promise<ClockedSystem> {
  await using stack = new AsyncDisposableStack()
  let id = ''
  const hub = stack.use(
    await startPagesHub({
      clock,
      async prepare(stores) {
        const { port } = stack.use(await sshAgent(stores.key.publicLine, sample))
        id = await addPastSystem(stores, { name: 'gauge', port, ...past })
      },
    }),
  )
  const admin = await hub.createAdmin()
  const opened = stack.move()
  let minutes = 0
  return {
    hub,
    admin,
    clock,
    id,
    async open(path, options) {
      const page = await hub.openPage(admin, { timezoneId: 'Europe/Berlin', locale: 'en-GB', ...options })
      await watchAxes(page)
      await page.clock.install({ time: clock.now() })
      await page.goto(path)
      await page.locator('main canvas').first().waitFor()
      return page
    },
    async passMinute(page) {
      clock.move(MINUTE_MS)
      await page.clock.fastForward(MINUTE_MS)
      minutes += 1
      await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { host: minutes % 2 === 1 ? 'localhost' : '127.0.0.1' })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
