import type { Sample } from '@vedette/protocol/metrics/sample'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { answering, behavingSshAgent, documentReply } from '../hub/test/scripted-agent.ts'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { standingClock } from './clocked-hub.ts'
import { startPagesHub, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GIBIBYTE = 1024 ** 3
export const NOW_MS = Date.UTC(2026, 2, 10, 14, 30, 30)
const PORT = 45876

/**
 * Machines in the screenshots of the documentation, each a list of seven values: name, operating system, CPU use in percent, memory in GiB,
 * memory use in percent, disk use in percent, and uptime in days.
 */
const machines = [
  ['atlas', 'linux', 34, 32, 61, 48, 41],
  ['backup', 'freebsd', 6, 16, 22, 83, 212],
  ['build-2', 'linux', 88, 64, 47, 35, 9],
  ['desk', 'windows', 12, 32, 54, 61, 2],
  ['edge-fra', 'linux', 21, 4, 38, 27, 120],
  ['mail', 'linux', 9, 8, 72, 40, 120],
  ['studio', 'macos', 17, 24, 66, 55, 17],
  ['web-1', 'linux', 42, 16, 58, 31, 41],
] as const
const containers = ['gateway', 'shop', 'search', 'postgres', 'queue', 'worker', 'cache', 'metrics']

export type DocumentsScene = AsyncDisposable & { readonly hub: PagesHub; readonly admin: Session }

/**
 * Starts the hub for the screenshots of the documentation and resolves with it. Its clock stands still; it has 8 systems with a day of
 * history, and one that is down.
 */
export async function startDocumentsScene(args: readonly string[]): Promise<DocumentsScene> {
  await using stack = new AsyncDisposableStack()
  const clock = standingClock(NOW_MS)
  const hub = stack.use(
    await startPagesHub({
      clock,
      args,
      async prepare(stores) {
        const times = [
          ...moments(NOW_MS - 24 * HOUR_MS, NOW_MS - 2 * HOUR_MS, 10 * MINUTE_MS),
          ...moments(NOW_MS - 2 * HOUR_MS, NOW_MS, MINUTE_MS),
        ]
        for (const [index, [name]] of machines.entries()) {
          const host = `127.78.0.${index + 1}`
          const behave = answering(() => documentReply(machineAt(index, NOW_MS)))
          stack.use(await behavingSshAgent(stores.key.publicLine, { behave, at: { host, port: PORT } }))
          const samples = times.map((atMs) => ({ atMs, sample: machineAt(index, atMs) }))
          await addPastSystem(stores, { name, host, port: PORT, status: 'paused', samples })
        }
        const nowhere = { name: 'edge-nyc', host: '127.78.0.99', port: PORT, status: 'paused', samples: [] } as const
        await addPastSystem(stores, nowhere)
      },
    }),
  )
  const admin = await hub.createAdmin()
  const { items } = (await hub.send(admin, 'GET', '/api/collections/systems/records?perPage=50')) as Listed // as this route answers
  await using events = await streamedEvents(hub.address, admin.token, ['systems/*'])
  const settled = items.map(({ name }) =>
    events.next((event) => event.includes(`"name":"${name}"`) && event.includes(`"status":"${name === 'edge-nyc' ? 'down' : 'up'}"`)),
  )
  for (const { id } of items) {
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'pending', users: [admin.record.id] })
  }
  await Promise.all(settled)
  const kept = stack.move()
  return { hub, admin, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type Listed = { readonly items: readonly { readonly id: string; readonly name: string }[] }

/**
 * Returns the sample of the machine with this index in the screenshots, at a time in epoch ms. Its load goes up and down once a day, with
 * smaller waves in between.
 */
function machineAt(index: number, atMs: number): Sample {
  const [, os, busy, gibibytes, usedPercent, diskPercent, days] = machines[index] ?? machines[0]
  const wave = (everyMinutes: number, phase = index): number => Math.sin((2 * Math.PI * atMs) / (everyMinutes * MINUTE_MS) + phase)
  const level = 1 + 0.25 * wave(1_440) + 0.12 * wave(37) + 0.07 * wave(11, index * 2) + 0.05 * wave(5, index * 3)
  const { rootDisk, ages: _, ...machine } = richMachine
  return {
    ...machine,
    agentVersion: ANNOUNCED_VERSION,
    cpu: {
      busyPercent: Math.min(98, busy * level),
      coreBusyPercent: [0, 1, 2, 3].map((core) => Math.min(99, busy * (level + 0.2 * wave(13, core)))),
    },
    memory: {
      totalBytes: gibibytes * GIBIBYTE,
      usedBytes: (gibibytes * GIBIBYTE * usedPercent * (0.9 + 0.1 * level)) / 100,
      usedPercent: usedPercent * (0.9 + 0.1 * level),
    },
    rootDisk: { ...rootDisk, usedPercent: diskPercent },
    load: { oneMinute: (busy * level) / 25, fiveMinutes: busy / 26, fifteenMinutes: busy / 28 },
    network: { ...machine.network, sentBytesPerSecond: 2e5 * busy * level, receivedBytesPerSecond: 6e4 * busy * (2 - level) },
    uptimeSeconds: days * 86_400,
    machine: { hostname: 'example', cpuModel: 'Example CPU', cores: 4, threads: 8, os },
    containers: containers.map((name, at) => ({
      name,
      id: `c0ffee${at}`.padEnd(12, '0'),
      cpuPercent: (busy / 9) * Math.max(0.1, level - at / 9 + 0.1 * wave(17, at)),
      memoryBytes: (10 - at) * 0.12 * GIBIBYTE * (0.9 + 0.1 * level),
      sentBytesPerSecond: 1e5 * (9 - at) * level,
      receivedBytesPerSecond: 5e4 * (9 - at),
    })),
  }
}
