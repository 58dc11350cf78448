import type { CborMap } from '@vedette/protocol/cbor/value'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { AgentQuestion, AgentSession, CloseReason } from '../session/agent-session.ts'
import { driveReader } from './drive-reader.ts'
import { POLL_CACHE_MS, replyModeOf, sampleOf, understands } from '../session/exchange.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { End } from '../../platform/network/websocket-keep-alive.ts'
import { driveSchedule, untilFirstPoll, untilNextTry, untilNextPoll } from './poll.ts'
import { reasonOfDown, type AgentRefusal } from './status.ts'
import type { MonitorParts } from './monitor-parts.ts'
import { CLONED, takeovers, type Takeover, type Takeovers } from './takeovers.ts'

/**
 * Number of tries of each poll, 3, until the agent has responded once since polling began. If all fail, the system is down. The agent may
 * still be starting, so there is one try more than usual.
 */
const FIRST_TRIES = 3
const TRIES = 2
/** Maximum delay before the next poll, in ms (30 s), in the grace period for the agent to reconnect after a suspension of the hub. */
const SETTLING_RETRY_MS = 30_000

/**
 * How an agent's session ended. `link` is its transport, SSH or WebSocket. `end` is `silent` if a WebSocket's ping got no response,
 * otherwise `closed`.
 */
type Loss = { readonly link: AgentSession['link']; readonly end: End }

/**
 * Poller of one system: keeps one agent session, polls once a minute, and retries before the system is marked as down. One poll runs at a
 * time.
 */
export class SystemMonitor {
  readonly #parts: MonitorParts
  readonly #driveSchedule = driveSchedule()
  readonly #drives: ReturnType<typeof driveReader>
  /**
   * Counter of the takeovers (another agent replaced this system's connected agent). It is created at the first one; `undefined` before.
   */
  #takeovers: Takeovers | undefined
  #session: AgentSession | undefined
  #timer: NodeJS.Timeout | undefined
  #polling = false
  #state: 'watching' | 'paused' | 'stopped' = 'watching'
  #detailsKnown = false
  #everAnswered = false
  /**
   * Time of the last sample that was stored before this hub began to poll the system, in epoch ms. `undefined` without one, and once an
   * agent has connected.
   */
  #earlierSampleMs: number | undefined
  #refusal: AgentRefusal | undefined
  /**
   * Transport (SSH or WebSocket) and end (`silent` or `closed`) of the agent's session that ended during the current poll. `undefined`
   * while no session has ended.
   */
  #loss: Loss | undefined
  /**
   * Abort controller of the system's latest poll. `abort` ends the poll if it is still running. A new poll is scheduled unless the monitor
   * was stopped or paused.
   */
  #attempt = new AbortController()

  constructor(parts: MonitorParts) {
    this.#parts = parts
    this.#drives = driveReader({ ...parts, schedule: this.#driveSchedule })
  }

  /**
   * Starts to poll the system: first after `delayMs` (ms), then every minute. `sampledAtMs` (epoch ms) is the time of its last stored
   * sample. If its agent connects first, the poll waits for the next due time, at most 10 s.
   */
  start(delayMs: number, sampledAtMs?: number): void {
    this.#earlierSampleMs = sampledAtMs
    this.#schedule(delayMs, TRIES)
  }

  /**
   * Uses a WebSocket session that the agent opened. It replaces the current session. When two agents replace each other repeatedly, the new
   * session is closed instead.
   */
  adopt(session: AgentSession): void {
    if (this.#state === 'stopped') return session.close()
    if (!this.mayTakeOver(session.peer).isAllowed) return session.close(CLONED)
    this.#session?.close()
    this.#use(session)
    const waitMs = untilFirstPoll(this.#earlierSampleMs, this.#parts.clock.now())
    this.#earlierSampleMs = undefined
    this.#parts.inTurn(() => {
      if (this.#session === session) this.#schedule(waitMs, TRIES)
    })
  }

  /**
   * Returns whether a new agent at the address `newcomer` may replace the connected agent, and counts the replacement. The result's
   * `agesMs` lists how many ms ago the replacements of the last minute were. Without a WebSocket session it is allowed and not counted.
   */
  mayTakeOver(newcomer: string): Takeover {
    const { clock, log, system, earlierTakeoversMs } = this.#parts
    const nowMs = clock.now()
    const holder = this.#session
    if (holder?.link !== 'websocket') return { isAllowed: true, agesMs: this.#takeovers?.agesMs(nowMs) ?? [] }
    this.#takeovers ??= takeovers(earlierTakeoversMs)
    const isAllowed = this.#takeovers.allow(newcomer, holder.peer, nowMs)
    if (!isAllowed) log.warn('two agents use the same fingerprint', { system, holder: holder.peer, newcomer })
    return { isAllowed, agesMs: this.#takeovers.agesMs(nowMs) }
  }

  pause(): void {
    this.#state = 'paused'
    clearTimeout(this.#timer)
    // A WebSocket stays open, because the hub could not reconnect it. Pings keep it alive.
    if (this.#session?.link === 'ssh') this.#session.close()
  }

  /**
   * Begins to poll the system again, also after a pause, with a poll at once. An open SSH session is closed first; a WebSocket session
   * stays. Called when a user resumed the system or changed its address.
   */
  restart(): void {
    if (this.#state === 'stopped') return
    this.#state = 'watching'
    this.#everAnswered = false
    if (this.#session?.link === 'ssh') this.#drop()
    // The running poll is aborted, and a new one follows.
    if (this.#polling) this.#attempt.abort()
    else this.#schedule(0, FIRST_TRIES)
  }

  /**
   * Closes the agent's WebSocket session with the close code and reason `farewell`. Called when the agent's token is no longer valid or the
   * agent must reconnect to another hub. An SSH session stays open.
   */
  disown(farewell?: CloseReason): void {
    if (this.#session?.link === 'websocket') this.#session.close(farewell)
  }

  /**
   * Stores why an agent of this system was refused a connection, and marks the system as down for that reason. Does nothing while a session
   * is open or the system is paused.
   */
  noteRefusal(reason: string): void {
    this.#explain(reason, this.#parts.markDown)
  }

  /**
   * Stores that an agent at this system's address sent an invalid token. The system's status does not change, because anybody can send one.
   * The reason is shown if the system is down. Does nothing while a session is open or the system is paused.
   */
  noteStranger(reason: string): void {
    this.#explain(reason, this.#parts.explainDown)
  }

  #explain(reason: string, report: (reason: string) => Promise<void>): void {
    if (this.#session !== undefined || this.#state !== 'watching') return
    const { clock, log, system } = this.#parts
    this.#refusal = { reason, atMs: clock.now() }
    report(reason).catch((error: unknown) => log.error('status not stored', { system, error }))
  }

  /**
   * Sends a user's request to the system's agent and resolves to the agent's reply. Connects first if there is no session. Rejects with
   * AgentUnavailable when the request fails.
   */
  async ask(question: AgentQuestion): Promise<Reply> {
    return (await this.#connected()).ask(question)
  }

  /**
   * Makes the agent read the drives (SMART) now, even if the schedule does not require it, and stores the result. Connects first if there
   * is no session.
   */
  async readDrives(): Promise<void> {
    await this.#drives.read(await this.#connected())
  }

  /**
   * Fetches a one-second sample for live viewers, as the agent's CBOR map; `cacheTimeMs` is the viewers' polling interval. It is not
   * stored. `undefined` without a connection and for agents before 0.13. Rejects with AgentUnavailable when the request fails.
   */
  async fetchLive(cacheTimeMs: number): Promise<CborMap | undefined> {
    // Agents before 0.13 keep one previous measurement. A live poll would turn the minute's rates into rates over one second.
    if (this.#session === undefined || replyModeOf(this.#session.agentVersion) === 'unsolicited') return undefined
    return this.#session.fetchDocument({ cacheTimeMs, includeDetails: false })
  }

  get isConnected(): boolean {
    return this.#session !== undefined
  }

  /** True when the agent opened the current connection, by WebSocket. False when the hub opened it, by SSH, and without a connection. */
  get hasDialled(): boolean {
    return this.#session?.link === 'websocket'
  }

  stop(farewell?: CloseReason): void {
    this.#state = 'stopped'
    this.#attempt.abort()
    clearTimeout(this.#timer)
    this.#drop(farewell)
  }

  async #connected(): Promise<AgentSession> {
    if (this.#session !== undefined) return this.#session
    if (this.#state !== 'watching') throw new AgentUnavailable('closed', 'The system is paused and its agent not connected')
    return this.#open()
  }

  #schedule(delayMs: number, tries: number): void {
    clearTimeout(this.#timer)
    if (this.#state !== 'watching') return
    this.#timer = setTimeout(() => void this.#poll(tries), delayMs)
  }

  #scheduleNext(): void {
    const { system, clock, groupMs } = this.#parts
    if (this.#loss !== undefined) this.#scheduleAfter(this.#loss)
    else this.#schedule(untilNextPoll(system, clock.now(), groupMs()), TRIES)
  }

  async #poll(tries: number): Promise<void> {
    if (this.#polling) return // the running poll uses the current session and schedules the next poll
    this.#polling = true
    this.#loss = undefined
    const attempt = new AbortController()
    this.#attempt = attempt
    try {
      const { sample, session } = await this.#measure(tries)
      if (this.#state !== 'watching') return
      const outcome = await this.#parts.store(sample, session.link, this.#takeovers?.remark(this.#parts.clock.now()))
      if (outcome.kind !== 'storing paused') {
        this.#everAnswered = true
        this.#detailsKnown ||= sample.machine?.hostname !== undefined
        if (this.#areDrivesDue(session, sample)) this.#drives.readLater(session)
      }
      this.#scheduleNext()
    } catch (error) {
      if (!attempt.signal.aborted) await this.#failed(error)
    } finally {
      this.#polling = false
      if (attempt.signal.aborted) this.#schedule(0, FIRST_TRIES)
    }
  }

  /**
   * Returns true when the drives (SMART) must be read now. False until the agent has sent the machine's details, and for agents that cannot
   * read drives.
   */
  #areDrivesDue({ agentVersion }: AgentSession, { machine }: Sample): boolean {
    if (!this.#detailsKnown) return false
    this.#driveSchedule.learnInterval(machine?.smartIntervalMs)
    return understands(agentVersion, 'smart') && this.#driveSchedule.isDue(this.#parts.clock.now())
  }

  async #failed(error: unknown): Promise<void> {
    const { deadlines, log, system, clock, markDown, settlingMs } = this.#parts
    if (this.#state === 'stopped') return
    const loss = this.#loss
    this.#loss = undefined
    // The agent connected to the hub during the failed try.
    const hasConnected = this.#session !== undefined && error instanceof AgentUnavailable
    if (hasConnected || settlingMs() > 0) {
      this.#schedule(hasConnected ? 0 : Math.min(settlingMs(), SETTLING_RETRY_MS), TRIES)
      return
    }
    if (loss !== undefined && dialsAgain(loss) && error instanceof AgentUnavailable) {
      // The delay before the second try was a part of the grace period.
      this.#schedule(Math.max(0, deadlines.reconnectGraceMs - deadlines.secondTryMs), 1)
      return
    }
    if (!(error instanceof AgentUnavailable)) log.error('sample not stored', { system, error })
    else if (this.#state === 'watching') {
      log.debug('system not reached', { system, failure: error.failure, reason: error.message })
      await markDown(reasonOfDown(error.message, this.#refusal, clock.now())).catch((cause: unknown) =>
        log.error('status not stored', { system, error: cause }),
      )
    }
    this.#schedule(deadlines.downEveryMs, 1)
  }

  /**
   * Fetches a sample from the agent. Resolves to it and the session that was used. Tries up to `tries` times while the failure is
   * retryable, then rejects with the last failure. A system that never responded gets at least 3 tries.
   */
  async #measure(tries: number): Promise<{ readonly sample: Sample; readonly session: AgentSession }> {
    for (let left = this.#everAnswered ? tries : Math.max(tries, FIRST_TRIES); ; left--) {
      let session: AgentSession | undefined
      try {
        session = this.#session ?? (await this.#open())
        const document = await session.fetchDocument({ cacheTimeMs: POLL_CACHE_MS, includeDetails: !this.#detailsKnown })
        const sample = sampleOf(document, this.#parts.log)
        await this.#refuseOtherMachine(session, sample)
        return { sample, session }
      } catch (error) {
        await this.#beforeNextTry(error, session, left - 1)
      }
    }
  }

  /**
   * Throws AgentUnavailable if a sample over SSH comes from another machine than the system's. It is checked until a sample of the session
   * had the machine's details. WebSocket agents identify themselves, so they are not checked.
   */
  async #refuseOtherMachine({ link, peer }: AgentSession, sample: Sample): Promise<void> {
    const reason = link === 'ssh' && !this.#detailsKnown ? await this.#parts.otherMachine(peer, sample) : undefined
    if (reason !== undefined) throw new AgentUnavailable('another machine', reason)
  }

  /**
   * Called after a failed try of a poll: waits before the next try, then closes the session. If no try is left (`left` is 0) or retries are
   * useless, closes it and throws `error` at once. A WebSocket session that timed out stays open for a next try.
   */
  async #beforeNextTry(error: unknown, session: AgentSession | undefined, left: number): Promise<void> {
    const isLast = left === 0 || this.#state !== 'watching' || !(error instanceof AgentUnavailable) || !error.retryable
    // A live WebSocket is retried without a new connection: a late response still counts, and a new handshake only costs more.
    const isLate = !isLast && session?.link === 'websocket' && error.failure === 'silent'
    if (isLate) return
    try {
      if (isLast) throw error
      await untilNextTry({ session, afterMs: this.#parts.deadlines.secondTryMs, signal: this.#attempt.signal })
    } finally {
      if (this.#session === session) this.#drop()
    }
  }

  async #open(): Promise<AgentSession> {
    const session = await this.#parts.dial(this.#attempt.signal)
    // The agent may have connected during the dial. Its own session has priority.
    if (this.#session !== undefined || this.#state !== 'watching') session.close()
    else this.#use(session)
    return this.#session ?? session
  }

  #use(session: AgentSession): void {
    this.#session = session
    this.#loss = undefined
    this.#detailsKnown = false
    this.#driveSchedule.reconnected()
    void session.closed.then((end) => this.#lost(session, end))
  }

  /**
   * Called when the agent's session has ended. Schedules a poll with one try: at once, or after a grace period if the agent reconnects by
   * itself. If a poll is running, it only notes the loss, which is handled after that poll.
   */
  #lost(session: AgentSession, end: End): void {
    if (this.#session !== session) return
    this.#session = undefined
    const loss = { link: session.link, end }
    if (this.#polling) this.#loss = loss
    else this.#scheduleAfter(loss)
  }

  #scheduleAfter(loss: Loss): void {
    const { deadlines, settlingMs } = this.#parts
    this.#schedule(Math.max(settlingMs(), dialsAgain(loss) ? deadlines.reconnectGraceMs : 0), 1)
  }

  #drop(farewell?: CloseReason): void {
    const session = this.#session
    this.#session = undefined
    session?.close(farewell)
  }
}

/**
 * Returns true when an agent is expected to reconnect by itself after its session ended. It then was connected by WebSocket, and the
 * session did not end because a ping got no response.
 */
const dialsAgain = ({ link, end }: Loss): boolean => link === 'websocket' && end === 'closed'
