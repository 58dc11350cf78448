import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { watchAlerts } from '../src/alerts/rules/alert-watch.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { UnitOfWork } from '../src/platform/db/database.ts'
import type { RecordEvent } from '../src/platform/events/event-bus.ts'
import { standardAgentLimits, type AgentLimits } from '../src/fleet/websocket/agent-connect.ts'
import { standardDeadlines, type Deadlines } from '../src/fleet/session/deadlines.ts'
import { AGENT_CONNECT_PATH, startFleet } from '../src/fleet/fleet.ts'
import { ownsAllSystems, type SystemOwnership } from '../src/fleet/ownership/system-ownership.ts'
import { readHubKey } from '../src/fleet/ssh/hub-key.ts'
import { peerAddress, trustedProxies } from '../src/platform/http/client-address.ts'
import { connectionGuard } from '../src/platform/http/connection-guard.ts'
import { standardPeerLimits } from '../src/platform/http/peer-limits.ts'
import { historyStore } from '../src/history/history-store.ts'
import { samplePipeline } from '../src/samples/sample-pipeline.ts'
import type { StoredRecord } from '../src/records/model/stored-record.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'
import { engineOn } from './test-engine.ts'

export const LOCAL_TOKEN = 'local-enrolment-token'

/** Deadlines for agents that stall on purpose: a hundredth of the real ones, so that a test need not wait for them. */
export const shortDeadlines: Deadlines = {
  ...standardDeadlines,
  handshakeMs: 500,
  channelMs: 200,
  quietMs: 50,
  repliesMs: Object.fromEntries(
    Object.entries(standardDeadlines.repliesMs).map(([action, ms]) => [action, ms / 20]),
  ) as Deadlines['repliesMs'], // the same keys
  webSocketDataMs: 500,
  secondTryMs: 5,
  downEveryMs: 500,
}

export type RunningFleet = Awaited<ReturnType<typeof fleetOn>>

/** A fleet over a real database, reachable by agents over a real socket. */
export async function fleetOn(
  kind: TestDatabaseKind,
  deadlines: Deadlines = standardDeadlines,
  {
    privateKey,
    limits = standardAgentLimits,
    ownership = ownsAllSystems,
  }: { readonly privateKey?: string; readonly limits?: AgentLimits; readonly ownership?: SystemOwnership } = {},
) {
  const stack = new AsyncDisposableStack()
  const { database, bus } = stack.use(await kind.open())
  const directory = makeMemoryFolder('vedette-fleet-')
  stack.defer(() => rmSync(directory, { recursive: true, force: true }))
  if (privateKey !== undefined) writeFileSync(join(directory, 'id_ed25519'), privateKey, { mode: 0o600 })
  const clock = systemClock
  const engine = engineOn(database)
  const records = engine.store
  const history = historyStore({ db: database, clock, bus, log: silentLog })
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: silentLog }), ({ close }) => close())
  const samples = samplePipeline({ db: database, records, history, clock, bus, alerts, log: silentLog })
  const key = readHubKey(directory)
  const fleet = await startFleet({
    db: database,
    records,
    secrets: engine.secrets,
    temporaryTokenOwner: () => undefined,
    bus,
    samples,
    alerts,
    key,
    clock,
    log: () => silentLog,
    readLocalToken: () => LOCAL_TOKEN,
    deadlines,
    limits,
    ownership,
  })
  stack.defer(() => fleet.close())
  const proxies = trustedProxies([])
  const connections = connectionGuard({
    limits: standardPeerLimits,
    addressOfPeer: peerAddress(false),
    proxies: () => proxies,
    clock,
    log: silentLog,
  })
  stack.defer(connections.close)
  const server = createServer()
  server.on('connection', connections.onConnection)
  server.on('upgrade', (request, socket, head) =>
    fleet.onUpgrade({ request, socket, head, remoteAddress: request.socket.remoteAddress ?? '', slot: connections.onUpgrade(request) }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${AGENT_CONNECT_PATH}`

  const seen: RecordEvent[] = []
  const waiting = new Set<() => void>()
  bus.subscribe(
    'all',
    (event) => {
      seen.push(event)
      for (const check of waiting) check()
    },
    () => true,
  )

  /** The first event from now on, or already seen, that `fits`. */
  function seenEvent(fits: (event: RecordEvent) => boolean): Promise<RecordEvent> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = seen.find(fits)
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  }

  return {
    fleet,
    database,
    bus,
    records,
    history,
    key,
    url,
    /** The first change that `fits`, among the past or the next ones. */
    seen: seenEvent,
    /** Forgets the changes so far. */
    forget: () => void (seen.length = 0),
    /** Waits for a change of a system to this status, then forgets the changes so far. */
    async status(id: string, status: string): Promise<StoredRecord> {
      const event = await seenEvent(({ collection, record }) => collection === 'systems' && record.id === id && record['status'] === status)
      seen.length = 0
      return event.record
    },
    created: (collection: string) => seenEvent((event) => event.collection === collection && event.action === 'create'),
    addSystem: (values: { readonly [field: string]: Json }) =>
      database.write((unit) => records.insert(unit, 'systems', { name: 'machine', status: 'pending', users: [], info: {}, ...values })),
    addToken: (system: string, token: string) =>
      database.write((unit) => records.insert(unit, 'fingerprints', { system, token, fingerprint: '' })),
    write: <T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> => database.write(work),
    update: (id: string, changes: { readonly [field: string]: Json }) =>
      database.write((unit) => records.update(unit, 'systems', id, changes)),
    remove: (id: string) => database.write((unit) => records.remove(unit, 'systems', id)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
