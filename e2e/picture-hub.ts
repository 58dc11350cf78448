import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Page } from 'playwright-core'
import { answering, behavingSshAgent, documentReply, machineSample } from '../hub/test/scripted-agent.ts'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { standingClock } from './clocked-hub.ts'
import { startPagesHub, type PagesHub, type Session } from './pages-hub.ts'
import { addPastHealth, addPastLog } from './past-operations.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Time, in epoch ms, at which the clocks of the hub and the pages stand still in the screenshots: 10 March 2026, 14:30 UTC. */
const NOW_MS = Date.UTC(2026, 2, 10, 14, 30, 0)
/**
 * Time range in epoch ms of the log entries that are stored for the screenshots: the hour that ends an hour before `NOW_MS`. The test's own
 * requests are later, since their times differ between runs.
 */
export const LOG = { fromMs: NOW_MS - 2 * HOUR_MS, toMs: NOW_MS - HOUR_MS }
// Loopback addresses of the fake agents. They are unique, because pages show the address of a system.
const [WEB, DATABASE, ABSENT] = ['127.77.0.1', '127.77.0.2', '127.77.0.3']
const PORT = 45876

/**
 * JavaScript text for a page of the screenshots: `performance.now()` stands still for the page's code once it has loaded. React's
 * scheduler, which would otherwise wait for ever, gets a running clock.
 */
const PAUSE_CLOCK = `{
  const own = performance
  let isLoaded = false
  const withClock = (now) =>
    new Proxy(own, { get: (_, key) => (key === 'now' ? now : typeof own[key] === 'function' ? own[key].bind(own) : own[key]) })
  const paused = withClock(() => 1000)
  const running = withClock(() => (isLoaded ? own.now() : 1000))
  document.addEventListener('DOMContentLoaded', () => (isLoaded = true))
  Object.defineProperty(globalThis, 'performance', { configurable: true, get: () => (isLoaded ? paused : running) })
}`

/**
 * Hub for screenshots whose pages look equal in every run, with functions to open pages and fire alerts. It has systems, clocks that stand
 * still, and agents with constant samples.
 */
export type PictureHub = AsyncDisposable & {
  readonly hub: PagesHub
  readonly admin: Session
  /** Opens a page of the hub, in a browser whose clock stands still, and resolves with it; signed in if `session` is given. */
  readonly openPage: (session?: Session) => Promise<Page>
  /** Adds an alert rule of the admin for the system with this name, and makes the hub poll the system. Resolves when the alert fires. */
  readonly fireAlert: (system: string, rule: { readonly name: string; readonly value: number; readonly min: number }) => Promise<void>
}

export async function startPictureHub(): Promise<PictureHub> {
  await using stack = new AsyncDisposableStack()
  const hub = stack.use(
    await startPagesHub({
      clock: standingClock(NOW_MS),
      async prepare(stores) {
        const agent = async (host: string, sample: Sample) => {
          const behave = answering(() => documentReply(sample))
          stack.use(await behavingSshAgent(stores.key.publicLine, { behave, at: { host, port: PORT } }))
        }
        await agent(WEB, webMachine)
        await agent(DATABASE, databaseMachine)
        const lastDay = [
          ...moments(NOW_MS - DAY_MS, NOW_MS - 2 * HOUR_MS, 10 * MINUTE_MS),
          ...moments(NOW_MS - 2 * HOUR_MS, NOW_MS, MINUTE_MS),
        ]
        const past = (machine: Sample, phase: number) => lastDay.map((atMs) => ({ atMs, sample: pastSample(machine, atMs, phase) }))
        const up = [{ atMs: NOW_MS - DAY_MS, status: 'up' }] as const
        // Paused, so that no poll of the start comes before or after the admin's changes.
        const resting = { port: PORT, status: 'paused' } as const
        await addPastSystem(stores, { ...resting, name: 'web-1', host: WEB, samples: past(webMachine, 0), statuses: up })
        await addPastSystem(stores, { ...resting, name: 'database-1', host: DATABASE, samples: past(databaseMachine, 1), statuses: up })
        await addPastSystem(stores, { ...resting, name: 'build-3', host: ABSENT, samples: [], statuses: up })
        await addPastSystem(stores, { ...resting, name: 'spare-2', host: ABSENT, samples: [] })
        await addPastHealth(stores, moments(NOW_MS - DAY_MS, NOW_MS, MINUTE_MS))
        await addPastLog(stores, moments(LOG.fromMs, LOG.toMs, MINUTE_MS))
      },
    }),
  )
  const admin = await hub.createAdmin()
  await bringToRest(hub, admin)
  const kept = stack.move()
  return {
    hub,
    admin,
    async openPage(session) {
      const page = await hub.openPage(session, { timezoneId: 'UTC' })
      await page.clock.setFixedTime(NOW_MS)
      await page.addInitScript(PAUSE_CLOCK)
      return page
    },
    async fireAlert(name, rule) {
      const system = (await idsByName(hub, admin)).get(name)
      await using events = await streamedEvents(hub.address, admin.token, ['alerts/*'])
      const fired = events.next((event) => event.includes('"triggered":true'))
      await hub.send(admin, 'POST', '/api/collections/alerts/records', { user: admin.record.id, system, ...rule })
      await hub.send(admin, 'PATCH', `/api/collections/systems/records/${system}`, { status: 'pending' })
      await fired
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * Makes the hub poll all systems of the screenshots except the paused one. Resolves when each has its intended status: up, down or paused.
 */
async function bringToRest(hub: PagesHub, admin: Session): Promise<void> {
  const ids = await idsByName(hub, admin)
  await using events = await streamedEvents(hub.address, admin.token, ['systems/*'])
  const isNow = (name: string, status: string) =>
    events.next((event) => event.includes(`"name":"${name}"`) && event.includes(`"status":"${status}"`))
  const settled = Promise.all([isNow('web-1', 'up'), isNow('database-1', 'up'), isNow('build-3', 'down'), isNow('spare-2', 'paused')])
  for (const name of ['web-1', 'database-1', 'build-3', 'spare-2']) {
    const status = name === 'spare-2' ? 'paused' : 'pending'
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${ids.get(name)}`, { status, users: [admin.record.id] })
  }
  await settled
}

async function idsByName(hub: PagesHub, admin: Session): Promise<ReadonlyMap<string, string>> {
  const { items } = (await hub.send(admin, 'GET', '/api/collections/systems/records?perPage=50')) as Listed // as this route answers
  return new Map(items.map(({ name, id }) => [name, id]))
}

type Listed = { readonly items: readonly { readonly id: string; readonly name: string }[] }

const webMachine: Sample = {
  ...richMachine,
  cpu: { busyPercent: 38.2, coreBusyPercent: [31, 52, 28, 42] },
  uptimeSeconds: 17 * 86_400,
  machine: { hostname: 'web-1', cpuModel: 'Example CPU', cores: 2, threads: 4 },
}

const databaseMachine: Sample = {
  ...machineSample,
  cpu: { busyPercent: 91.4 },
  memory: { totalBytes: 64 * 1024 ** 3, usedBytes: 45 * 1024 ** 3, usedPercent: 70.3 },
  uptimeSeconds: 120 * 86_400,
  machine: { hostname: 'database-1', cpuModel: 'Example CPU', cores: 16, threads: 32 },
}

/**
 * Returns a sample that is `machine` with the load of a time in epoch ms. The load goes up and down every six hours, with smaller waves;
 * `phase` (radians) shifts it.
 */
function pastSample(machine: Sample, atMs: number, phase: number): Sample {
  const turn = (everyMs: number): number => Math.sin((2 * Math.PI * atMs) / everyMs + phase)
  const level = 1 + 0.3 * turn(6 * HOUR_MS) + 0.1 * turn(17 * MINUTE_MS)
  const { cpu, memory, network } = machine
  return {
    ...machine,
    ...(cpu === undefined ? {} : { cpu: { ...cpu, busyPercent: Math.min(100, (cpu.busyPercent ?? 0) * level) } }),
    ...(memory === undefined
      ? {}
      : { memory: { ...memory, usedBytes: (memory.usedBytes ?? 0) * level, usedPercent: (memory.usedPercent ?? 0) * level } }),
    ...(network === undefined ? {} : { network: { ...network, receivedBytesPerSecond: (network.receivedBytesPerSecond ?? 0) * level } }),
  }
}
