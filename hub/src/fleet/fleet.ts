import type { CborMap } from '@vedette/protocol/cbor/value'
import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventBus, RecordEvent } from '../platform/events/event-bus.ts'
import type { LogOf } from '../platform/log.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import { isWatched, type SamplePipeline } from '../samples/sample-pipeline.ts'
import type { RecordStore } from '../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../records/model/stored-record.ts'
import { noteChanges } from '../operations/system-events/system-events.ts'
import { parseAgentAddress } from './enrolment/agent-address.ts'
import type { RefusedUpgrade } from './enrolment/agent-admission.ts'
import { agentConnect, type AgentUpgrade, standardAgentLimits, type AgentLimits } from './websocket/agent-connect.ts'
import type { AgentQuestion, AgentSession, CloseReason } from './session/agent-session.ts'
import { dialAgent } from './ssh/agent-ssh.ts'
import { standardDeadlines, type Deadlines } from './session/deadlines.ts'
import { enrolment } from './enrolment/enroll.ts'
import { AgentUnavailable } from './session/fleet-errors.ts'
import { ownsAllSystems, type SystemOwnership } from './ownership/system-ownership.ts'
import { hostKeys } from './ssh/host-keys.ts'
import { otherMachine } from './ssh/other-machine.ts'
import type { HubKey } from './ssh/hub-key.ts'
import { firstPollOrder, groupMs, POLL_EVERY_MS, type UnpolledSystem } from './polling/poll.ts'
import { releaseAgents } from './release-agents.ts'
import { isSystemStatus, nextStatus } from './polling/status.ts'
import { noTakeoverRequests, type TakeoverRequests } from './ownership/takeover-requests.ts'
import { CLONED, TAKEOVER_ALLOWED } from './polling/takeovers.ts'
import { SystemMonitor } from './polling/system-monitor.ts'
import { pollQueue } from './polling/poll-queue.ts'
import { LOOK_EVERY_MS, wakefulness } from './polling/wakefulness.ts'
import { isJsonObject } from '../platform/json.ts'

/** URL path of the WebSocket to which agents connect: `/api/beszel/agent-connect`. */
export const AGENT_CONNECT_PATH = '/api/beszel/agent-connect'

/**
 * Grace period after a hub start, in ms (30 s), in which agents reconnect by WebSocket. Until it ends, the hub does not poll the systems of
 * those agents by SSH.
 */
const REDIAL_GRACE_MS = 30_000

/**
 * Delay in ms (50) between the first polls of two systems after a hub start, so that not all start at once. It is shorter if all would
 * otherwise take longer than the polling interval of 60 s.
 */
const START_SPACING_MS = 50

const WEBSOCKET_LINK = 2

/** Close code and reason text of a WebSocket when the hub stops: 1001 "Going away" (RFC 6455 §7.4.1). The agent reconnects later. */
const HUB_STOPPING: CloseReason = { code: 1001, reason: 'the hub is stopping' }
const OTHER_HUB_POLLS: CloseReason = { code: 1001, reason: 'another hub polls this system' }

export type FleetParts = {
  readonly db: Database
  readonly records: RecordStore
  readonly bus: EventBus
  readonly samples: Pick<SamplePipeline, 'store' | 'storeDrives'>
  readonly alerts: Pick<AlertWatch, 'wentDown' | 'recall' | 'forget'>
  readonly key: HubKey
  readonly secrets: Pick<SecretBox, 'digest'>
  /**
   * Returns the id of the user who created this temporary enrolment token (valid for 1 h), with which agents register systems. `undefined`
   * if the text is no such token.
   */
  readonly temporaryTokenOwner: (token: string) => string | undefined
  readonly clock: Clock
  readonly log: LogOf
  /**
   * Reads the enrolment token of the agent on the hub's own machine from the token's file. `undefined` when the file does not exist; it may
   * appear after the hub's start.
   */
  readonly readLocalToken: () => string | undefined
  readonly deadlines?: Deadlines
  readonly limits?: AgentLimits
  readonly ownership?: SystemOwnership
  readonly takeoverRequests?: TakeoverRequests
}

/**
 * Result of a user's request to an agent, as a union: `{ ok: true, value }`, or `{ ok: false, reason }`. `reason` is one sentence for
 * users, such as that the agent did not respond.
 */
export type AgentResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/**
 * Functions that send users' requests to agents, by a system's id. Most resolve to an {@link AgentResult}: the agent's value, or a sentence
 * that says why the request failed.
 */
export type Agents = {
  readonly ask: (system: string, question: AgentQuestion) => Promise<AgentResult<Reply>>
  /**
   * Makes the agent read the drives' health (SMART) now and stores the result. Takes up to 1 min. Resolves to an `AgentResult` without a
   * value.
   */
  readonly readDrives: (system: string) => Promise<AgentResult<void>>
  /**
   * Accepts the SSH host key that was refused last for the system's agent, and reconnects. Resolves to an `AgentResult`, whose value is
   * false when no key was refused.
   */
  readonly acceptHostKey: (system: string) => Promise<AgentResult<boolean>>
  /**
   * Fetches a one-second sample for live viewers, as the agent's CBOR map; `cacheTimeMs` is the viewers' polling interval. It is not
   * stored. `undefined` without a connection and for agents before 0.13. Rejects with AgentUnavailable when the request fails.
   */
  readonly fetchLive: (system: string, cacheTimeMs: number) => Promise<CborMap | undefined>
  /** Resolves to the error response for an agent's HTTP request to `/api/beszel/agent-connect` without a WebSocket upgrade. */
  readonly refusal: (headers: IncomingHttpHeaders, remoteAddress: string) => Promise<RefusedUpgrade>
}

export type Fleet = Agents & {
  /**
   * Handler for an HTTP request to `/api/beszel/agent-connect` that asks for a WebSocket upgrade. It authenticates the agent and opens the
   * connection, or sends the error response.
   */
  readonly onUpgrade: (upgrade: AgentUpgrade) => void
  /**
   * Returns the remaining grace period, in ms, in which agents reconnect. It begins after the hub process was suspended, or could not
   * accept an agent because its database failed. 0 when there is none.
   */
  readonly settlingMs: () => number
  /** Returns the number of agents that have an open connection, SSH or WebSocket, to this hub at the moment. */
  readonly connected: () => number
  /**
   * Closes the WebSocket connections of all agents one by one, spread over 10 s, so that these agents reconnect to other hubs. Returns a
   * function that cancels the closes that have not happened yet.
   */
  readonly release: () => () => void
  /**
   * Closes the connection of every agent, a WebSocket with close code 1001 ("the hub is stopping"), and stops all polls. Resolves when the
   * WebSockets are closed.
   */
  readonly close: () => Promise<void>
}

/**
 * Starts to poll the systems that this hub owns, except paused ones, over their agents' connections. A system that users create later is
 * polled too, a changed one at its new address, a deleted one no more.
 */
export async function startFleet(parts: FleetParts): Promise<Fleet> {
  const { db, records, bus, samples, alerts, key, clock, deadlines = standardDeadlines } = parts
  const { ownership = ownsAllSystems, takeoverRequests = noTakeoverRequests } = parts
  const log = parts.log('fleet')
  const monitors = new Map<string, SystemMonitor>()
  const keys = hostKeys(db)
  const { look, stumble, settlingMs } = wakefulness({ wallMs: clock.now, monotonicMs: () => performance.now() })
  const firstPolls = pollQueue(() => performance.now())
  const looking = setInterval(look, LOOK_EVERY_MS).unref()

  function watch(system: string, takeoverAgesMs: readonly number[] = []): SystemMonitor {
    // Samples of this monitor are stored under this lease, even if the hub gets another lease meanwhile.
    const epoch = ownership.epochOf(system)
    const monitor = new SystemMonitor({
      system,
      clock,
      log,
      deadlines,
      earlierTakeoversMs: takeoverAgesMs.map((ageMs) => clock.now() - ageMs),
      dial: (signal) => dial(system, signal),
      otherMachine: (peer, sample) => otherMachine(records, { system, peer }, sample),
      store: async (sample, link, remark) => {
        const arrival = { system, sample: { ...sample, link }, receivedAtMs: clock.now(), epoch }
        return samples.store(remark === undefined ? arrival : { ...arrival, remark })
      },
      storeDrives: (report) => samples.storeDrives(system, report),
      inTurn: firstPolls.add,
      afterPolls: firstPolls.addLast,
      groupMs: () => groupMs(monitors.size, isWatched(bus), db.name),
      settlingMs: () => Math.max(settlingMs(), ownership.settlingMs(system)),
      markDown: (reason) => markDown(system, epoch, reason),
      explainDown: (reason) => explainDown(system, reason),
    })
    monitors.set(system, monitor)
    return monitor
  }

  async function dial(system: string, signal: AbortSignal): Promise<AgentSession> {
    const record = await records.load('systems', system)
    const address = record && parseAgentAddress(textOf(record, 'host'), textOf(record, 'port'))
    if (address === undefined) throw new AgentUnavailable('not authenticated', 'The address of the agent is not a host and port')
    const { judge, met } = await keys.judgeFor(system)
    const session = await dialAgent({ address, privateKey: key.privatePem, judgeHostKey: judge, signal, deadlines })
    await met()
    return session
  }

  async function markDown(system: string, epoch: number | undefined, reason: string): Promise<void> {
    await db.write(async (unit) => {
      if (!(await ownership.admits(unit, system, epoch))) return
      const record = await records.load('systems', system, unit)
      const status = record?.['status']
      if (record === undefined || !isSystemStatus(status)) return
      const next = nextStatus(status, { kind: 'unreachable', confirmed: true })
      const info = { ...(record['info'] as { readonly [key: string]: Json } | null), why: reason }
      const news = next !== status || (record['info'] as { readonly why?: Json } | null)?.why !== reason
      if (next !== 'down' || !news) return
      await records.update(unit, 'systems', system, { status: next, info })
      await noteChanges(unit, [{ system, previous: record, next: { status: next, info } }], clock.now())
      await alerts.wentDown(unit, record, reason)
      if (next !== status) log.info('system is down', { system, name: record['name'], reason })
    }, 'process')
  }

  /** Replaces the stored reason (a sentence) why a system (by id) is down. Does nothing if the system is not down. */
  async function explainDown(system: string, reason: string): Promise<void> {
    await db.write(async (unit) => {
      const record = await records.load('systems', system, unit)
      const info = record?.['info'] as { readonly [key: string]: Json } | null | undefined
      if (record?.['status'] === 'down' && info?.['why'] !== reason) {
        await records.update(unit, 'systems', system, { info: { ...info, why: reason } })
      }
    }, 'process')
  }

  function onSystem({ action, record, previous }: RecordEvent): void {
    const monitor = monitors.get(record.id)
    if (action === 'delete') {
      monitor?.stop()
      monitors.delete(record.id)
      alerts.forget(record.id)
      keys.forget(record.id).catch((error: unknown) => log.error('known host key not deleted', { system: record.id, error }))
    } else if (action === 'create') {
      if (monitor === undefined) begin(record)
    } else if (previous !== undefined && changed(previous, record)) {
      if (record['status'] === 'paused') monitor?.pause()
      else if (monitor !== undefined) monitor.restart()
      else begin(record)
    }
  }

  function begin(record: StoredRecord, delayMs = 0): void {
    if (record['status'] !== 'paused' && ownership.owns(record.id)) watch(record.id).start(delayMs, unpolledOf(record).sampledAtMs)
  }

  function end(system: string): void {
    monitors.get(system)?.stop(OTHER_HUB_POLLS)
    monitors.delete(system)
  }

  /**
   * Called when systems (ids) have changed their owner hub. Restarts the polling of those that this hub now owns, and stops it for those
   * that another hub has taken.
   */
  async function onMoved(systems: readonly string[]): Promise<void> {
    // A gained system may still have the monitor of an earlier lease.
    for (const system of systems) end(system)
    const gained = systems.filter(ownership.owns)
    alerts.recall(gained)
    const found = await Promise.all(gained.map((system) => records.load('systems', system)))
    const order = firstPollOrder(found.filter((record) => record !== undefined).map(unpolledOf), clock.now())
    const spacing = startSpacing(order.length)
    for (const [index, { id }] of order.entries()) {
      // Somebody may have paused it since.
      const record = await records.load('systems', id)
      if (record !== undefined && !monitors.has(id)) begin(record, firstDelayMs(record, index * spacing))
    }
  }

  /**
   * Makes this hub poll the system of an agent that has connected here, even if another hub polled it. Closes the agent's session when it
   * and another agent with the same fingerprint replace each other again and again.
   */
  async function onSession(system: string, session: AgentSession): Promise<void> {
    const { isAllowed, agesMs } = await takeoverRequests.request(system, session.peer)
    if (!isAllowed) return session.close(CLONED)
    if (await ownership.claim(system)) {
      end(system)
      alerts.recall([system])
    }
    ;(monitors.get(system) ?? watch(system, agesMs)).adopt(session)
  }

  /**
   * Called when the record with an agent's token and fingerprint was changed or deleted. Closes the agent's WebSocket session, if it
   * connected with the earlier values.
   */
  function onFingerprint({ action, record, previous }: RecordEvent): void {
    const renewed =
      previous !== undefined &&
      (previous['token'] !== record['token'] || (previous['fingerprint'] !== '' && previous['fingerprint'] !== record['fingerprint']))
    if (action === 'delete' || renewed) monitors.get(textOf(record, 'system'))?.disown()
  }

  /**
   * Stores that an agent with an invalid token was refused, for each system whose configured host is this remote address. Such an agent
   * names no system.
   */
  async function noteStranger(address: string): Promise<void> {
    for (const { id } of await records.loadWhere('systems', { host: address })) {
      monitors.get(id)?.noteStranger('An agent at this address was refused: its token is not valid')
    }
  }

  const connect = agentConnect({
    key,
    log,
    clock,
    deadlines,
    limits: parts.limits ?? standardAgentLimits,
    inTurn: firstPolls.add,
    enrolment: enrolment(parts),
    onSession,
    onRefused: (system, reason) => monitors.get(system)?.noteRefusal(`The agent was refused: ${reason}`),
    onStranger: (address) => void noteStranger(address).catch((error: unknown) => log.error('rejected agent not recorded', { error })),
    onDatabaseAway: stumble,
  })

  function watched(system: string): SystemMonitor {
    const monitor = monitors.get(system)
    if (monitor === undefined) throw new AgentUnavailable('closed', 'The system is paused and its agent not connected')
    return monitor
  }

  const subscriptions = [
    bus.subscribe(['systems'], onSystem),
    bus.subscribe(['fingerprints'], onFingerprint),
    ownership.subscribe({
      onMoved: (moved) => {
        onMoved(moved).catch((error: unknown) => log.error('systems not taken over', { systems: moved.length, error }))
      },
      isDialled: (system) => monitors.get(system)?.hasDialled !== true,
    }),
    takeoverRequests.serve((system, newcomer) => monitors.get(system)?.mayTakeOver(newcomer) ?? TAKEOVER_ALLOWED),
  ]
  const systems = new Map((await records.loadWhere('systems', {})).map((record) => [record.id, record]))
  const spacing = startSpacing(systems.size)
  for (const [index, { id }] of firstPollOrder([...systems.values()].map(unpolledOf), clock.now()).entries()) {
    const record = systems.get(id)
    if (record !== undefined && !monitors.has(id)) begin(record, firstDelayMs(record, index * spacing))
  }

  return {
    onUpgrade: connect.onUpgrade,
    refusal: connect.refusal,
    ask: (system, question) => agentResult(async () => watched(system).ask(question)),
    readDrives: (system) => agentResult(async () => watched(system).readDrives()),
    fetchLive: async (system, cacheTimeMs) => monitors.get(system)?.fetchLive(cacheTimeMs),
    settlingMs,
    connected: () => monitors.values().reduce((count, { isConnected }) => count + Number(isConnected), 0),
    async acceptHostKey(system) {
      const isAccepted = await keys.accept(system)
      if (isAccepted) monitors.get(system)?.restart()
      return { ok: true, value: isAccepted }
    },
    release: () => releaseAgents([...monitors.values()].filter(({ hasDialled }) => hasDialled)),
    async close() {
      for (const unsubscribe of subscriptions) unsubscribe()
      clearInterval(looking)
      firstPolls.stop()
      for (const monitor of monitors.values()) monitor.stop(HUB_STOPPING)
      await connect.close(HUB_STOPPING)
    },
  }
}

const startSpacing = (systems: number): number => Math.min(START_SPACING_MS, POLL_EVERY_MS / Math.max(1, systems))

async function agentResult<T>(question: () => Promise<T>): Promise<AgentResult<T>> {
  try {
    return { ok: true, value: await question() }
  } catch (error) {
    if (error instanceof AgentUnavailable) return { ok: false, reason: error.message }
    throw error
  }
}

/**
 * Returns two fields of the JSON object `info` of a system record. `ct` is the kind of link to the agent (2: WebSocket), `at` the time of
 * the last sample. `{}` without a sample.
 */
const infoOf = ({ info }: StoredRecord): { readonly ct?: Json; readonly at?: Json } => (isJsonObject(info) ? info : {})

/**
 * Returns the delay of a system's first poll by this hub, in ms. It is `turnMs`, the system's turn after the hub's start. For an agent that
 * connects by WebSocket it is 30 s more, so that the agent can connect first.
 */
const firstDelayMs = (record: StoredRecord, turnMs: number): number => turnMs + (infoOf(record).ct === WEBSOCKET_LINK ? REDIAL_GRACE_MS : 0)

function unpolledOf(record: StoredRecord): UnpolledSystem {
  const { at } = infoOf(record)
  return { id: record.id, sampledAtMs: typeof at === 'number' ? at : undefined }
}

/**
 * Returns true when a change of a system's record requires a restart of its polling: a pause, a resume, or another host or port. Changes by
 * the hub itself, such as of the status, do not.
 */
function changed(previous: StoredRecord, record: StoredRecord): boolean {
  const moved = previous['host'] !== record['host'] || previous['port'] !== record['port']
  const isByUser = record['status'] === 'paused' || record['status'] === 'pending'
  return moved || (isByUser && previous['status'] !== record['status'])
}
