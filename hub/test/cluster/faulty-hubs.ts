import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../databases.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'
import { signIn } from '../hubs-of-one-database.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { startNatsServer } from '../nats-server.ts'
import { startDatabaseProxy, startFaultProxy } from './fault-proxy.ts'
import { addProcessorAlerts, lendToken, TOKEN } from './agents-of-all.ts'
import { numberedAgent } from './numbered-agent.ts'
import { hubNames, type Fault, type HubName } from './random-faults.ts'
import { auditWrites } from './write-audit.ts'

const ADMIN = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
/** A hub that starts while its database is away ends with a sentence. Its supervisor starts it again. */
const START_AGAIN_MS = 500
const OPEN = { kind: 'open' } as const

/**
 * Milliseconds since the epoch of a fault of a hub. `away`: it may lose samples, or may not be reached. `slow`: its database responds late, so
 * that storing takes longer.
 */
export type Outage = { readonly hub: HubName; readonly kind: 'away' | 'slow'; readonly fromMs: number; readonly untilMs: number }

/** Three hub processes on one PostgreSQL and one NATS. Each reaches both through proxies of its own. */
export async function faultyHubs() {
  const stack = new AsyncDisposableStack()
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  const { at } = stack.use(await postgres.ready())
  assert.ok('url' in at)
  const audit = stack.use(await auditWrites(at.url))
  const natsServer = stack.use(await startNatsServer())
  const folder = makeMemoryFolder('vedette-faults-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  /** Ends of hubs that no fault explains. */
  const surprises: string[] = []
  const hubs = new Map<HubName, Awaited<ReturnType<typeof faultyHub>>>()

  async function faultyHub(name: HubName) {
    const proxies = { postgres: await startDatabaseProxy(url(), name), nats: await startFaultProxy({ port: natsServer.port }) }
    for (const proxy of Object.values(proxies)) stack.use(proxy)
    const flags = [
      '--database',
      proxies.postgres.url,
      '--nats',
      `nats://127.0.0.1:${proxies.nats.port}`,
      '--secret-key',
      'one key for all hubs of a database',
      '--data',
      join(folder, name),
      '--hub-name',
      name,
    ]
    let running: HubProcess | undefined
    let isExpectedToEnd = false
    let isOver = false
    stack.defer(async () => {
      isOver = true
      isExpectedToEnd = true
      running?.kill('SIGKILL')
      await running?.ended
    })

    async function start(): Promise<void> {
      while (!isOver) {
        try {
          const hub = await startHubProcess(flags, ADMIN)
          isExpectedToEnd = false
          running = hub
          void hub.ended.then((status) => {
            if (!isExpectedToEnd) surprises.push(`hub ${name} ended with ${status}: ${hub.complaints()}`)
          })
          return
        } catch (error) {
          // Its network may be away.
          if (!String(error).includes('The hub ended with 1: Cannot')) throw error
          await wait(START_AGAIN_MS)
        }
      }
    }

    async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      const hub = running
      running = undefined
      isExpectedToEnd = true
      hub?.kill(signal)
      await hub?.ended
    }

    return { name, proxies, start, end, pid: () => running?.pid ?? 0, process: () => running, address: () => running?.address }
  }

  function url(): string {
    assert.ok('url' in at)
    return at.url
  }

  for (const name of hubNames) hubs.set(name, await faultyHub(name))
  const named = (name: HubName) => {
    const hub = hubs.get(name)
    assert.ok(hub)
    return hub
  }
  const [first, ...others] = hubs.values()
  // The first one writes what the others read at their start.
  await first?.start()
  await Promise.all(others.map(({ start }) => start()))
  const admin = first?.process()
  assert.ok(admin)
  const { token, id: user } = await signIn(admin)
  await lendToken(admin, token)

  async function injected(name: HubName, { kind, forMs }: Fault): Promise<void> {
    const hub = named(name)
    if (kind === 'frozen') {
      process.kill(hub.pid(), 'SIGSTOP')
      await wait(forMs)
      process.kill(hub.pid(), 'SIGCONT')
    } else if (kind === 'killed' || kind === 'stopped') {
      await hub.end(kind === 'killed' ? 'SIGKILL' : 'SIGTERM')
      await wait(forMs)
      await hub.start()
    } else {
      hub.proxies[kind.of].become(kind.state)
      await wait(forMs)
      hub.proxies[kind.of].become(OPEN)
    }
  }

  return {
    url: at.url,
    audit,
    surprises,
    /** Starts an agent. Its first connection is to the hub with this place. */
    agent(name: string, place: number) {
      const agent = numberedAgent({ name, token: TOKEN, hubs: [...hubs.values()], first: place })
      stack.defer(agent.stop)
      return agent
    },
    /** Adds an alert of the processor of each system. Returns the systems' ids by name. */
    addAlerts: () => addProcessorAlerts(admin, { token, id: user }),
    /** Resolves when the fault is over, with what it took from the hubs. */
    async inject(fault: Fault): Promise<readonly Outage[]> {
      const fromMs = Date.now()
      await Promise.all(fault.hubs.map((name) => injected(name, fault)))
      const { kind } = fault
      if (typeof kind === 'object' && kind.of === 'nats') return []
      const isSlow = typeof kind === 'object' && kind.state.kind === 'delayed'
      return fault.hubs.map((hub) => ({ hub, kind: isSlow ? 'slow' : 'away', fromMs, untilMs: Date.now() }))
    },
    complaints: () => [...hubs.values()].map((hub) => `${hub.name}: ${hub.process()?.complaints() ?? ''}`).join('\n'),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type FaultyHubs = Awaited<ReturnType<typeof faultyHubs>>
