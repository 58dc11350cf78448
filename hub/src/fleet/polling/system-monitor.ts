import type { CborMap } from '@vedette/protocol/cbor/value'
import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { SampleOutcome } from '../../samples/sample-store.ts'
import type { AgentQuestion, AgentSession, CloseReason } from '../session/agent-session.ts'
import type { Deadlines } from '../session/deadlines.ts'
import { driveReader } from './drive-reader.ts'
import { POLL_CACHE_MS, generationOf, sampleOf } from '../session/exchange.ts'
import { AgentUnavailable } from '../session/fleet-errors.ts'
import type { End } from '../../platform/network/websocket-keep-alive.ts'
import { untilNextTry } from './next-try.ts'
import { untilNextPoll } from './poll.ts'
import { takeovers } from './takeovers.ts'

/** How long a refused agent explains why its system is down. */
const REFUSAL_KEPT_MS = 60_000

/** A new system's agent may be starting only now: it gets this many tries before it counts as down. */
const FIRST_TRIES = 3
const TRIES = 2

export type MonitorParts = {
  readonly system: string
  readonly clock: Clock
  readonly log: Log
  readonly deadlines: Deadlines
  /** A new connection to the system's present address; given up when the signal says so. */
  readonly dial: (signal: AbortSignal) => Promise<AgentSession>
  /** Stores a sample. `remark` says what is wrong with the agent although it responds. */
  readonly store: (sample: Sample, link: AgentSession['link'], remark: string | undefined) => Promise<SampleOutcome>
  readonly storeDrives: (report: DiskHealthReport) => Promise<void>
  /** Runs something that many may want at once when it is this one's turn. */
  readonly inTurn: (work: () => void) => void
  /** Runs work when nothing waits for its turn. */
  readonly afterPolls: (work: () => void) => void
  /** Which systems are asked together; see `groupMs` of `poll.ts`. */
  readonly groupMs: () => number
  /** How long a hub that was held up itself gives its agents to come back; 0 for one that is awake. */
  readonly settlingMs: () => number
  /** The system could not be reached, second try included. */
  readonly markDown: (reason: string) => Promise<void>
  /** Replaces the reason of a system that is down already. */
  readonly explainDown: (reason: string) => Promise<void>
}

/** How a session ended. */
type Loss = { readonly link: AgentSession['link']; readonly end: End }

/**
 * Watches one system: keeps one session, asks once a minute at the system's own moment, tries again before it says "down",
 * and notices at once when a session ends. One poll at a time; nothing here waits for another system.
 */
export class SystemMonitor {
  readonly #parts: MonitorParts
  readonly #drives: ReturnType<typeof driveReader>
  readonly #takeovers = takeovers()
  #session: AgentSession | undefined
  #timer: NodeJS.Timeout | undefined
  #polling = false
  #state: 'watching' | 'paused' | 'stopped' = 'watching'
  #detailsKnown = false
  #everAnswered = false
  #refusal: { readonly reason: string; readonly atMs: number } | undefined
  /** The session ended while a poll was under way, after its sample had come. */
  #loss: Loss | undefined
  /** Ends what is under way, for good or to begin anew. */
  #attempt = new AbortController()

  constructor(parts: MonitorParts) {
    this.#parts = parts
    this.#drives = driveReader(parts)
  }

  /** Asks after `delayMs`, and from then on every minute. */
  start(delayMs: number): void {
    this.#schedule(delayMs, TRIES)
  }

  /** Takes over a session whose agent dialled us. The newcomer wins: the older one is a ghost, unless two of them fight. */
  adopt(session: AgentSession): void {
    if (this.#state === 'stopped') {
      session.close()
      return
    }
    const { clock, log, system } = this.#parts
    const holder = this.#session
    if (holder?.link === 'websocket' && !this.#takeovers.allow(session.peer, holder.peer, clock.now())) {
      log.warn('two agents are one system', { system, holder: holder.peer, newcomer: session.peer })
      session.close({ code: 1000, reason: 'another agent with this fingerprint is connected' })
      return
    }
    holder?.close()
    this.#use(session)
    this.#parts.inTurn(() => {
      if (this.#session === session) this.#schedule(0, TRIES)
    })
  }

  pause(): void {
    this.#state = 'paused'
    clearTimeout(this.#timer)
    // A WebSocket stays: the agent could not be called back. It is kept alive by pings.
    if (this.#session?.link === 'ssh') this.#session.close()
  }

  /** Forgets an SSH connection, and one that is being made, and asks anew: after a pause, or at another address. */
  restart(): void {
    if (this.#state === 'stopped') return
    this.#state = 'watching'
    this.#everAnswered = false
    if (this.#session?.link === 'ssh') this.#drop()
    // What is under way ends, and begins anew in its place.
    if (this.#polling) this.#attempt.abort()
    else this.#schedule(0, FIRST_TRIES)
  }

  /** Ends a WebSocket session whose token is no longer good. */
  disown(): void {
    if (this.#session?.link === 'websocket') this.#session.close()
  }

  /** An agent was turned away in this system's name. While another session lives that is no reason to call it down. */
  noteRefusal(reason: string): void {
    if (this.#session !== undefined || this.#state !== 'watching') return
    const { clock, log, system, markDown } = this.#parts
    this.#refusal = { reason, atMs: clock.now() }
    markDown(reason).catch((error: unknown) => log.error('status not stored', { system, error }))
  }

  /**
   * Somebody at this system's address showed a token that opens nothing. Anybody can do that, so it changes no status: it is the
   * reason that is shown when the system is down anyway.
   */
  noteStranger(reason: string): void {
    if (this.#session !== undefined || this.#state !== 'watching') return
    const { clock, log, system, explainDown } = this.#parts
    this.#refusal = { reason, atMs: clock.now() }
    explainDown(reason).catch((error: unknown) => log.error('status not stored', { system, error }))
  }

  /** The reply to a question of a person; an agent that is not connected is dialled. */
  async ask(question: AgentQuestion): Promise<Reply> {
    return (await this.#connected()).ask(question)
  }

  /** Reads the drives now, whenever they were read last. */
  async readDrives(): Promise<void> {
    await this.#drives.read(await this.#connected())
  }

  /** A measurement for whoever watches live, beside the stored minute; `undefined` while no agent can give one. */
  async fetchLive(cacheTimeMs: number): Promise<CborMap | undefined> {
    // Agents before 0.13 have one consumer: a second one would turn the minute's rates into those of a second.
    if (this.#session === undefined || generationOf(this.#session.agentVersion) === 'unasked') return undefined
    return this.#session.fetchDocument({ cacheTimeMs, includeDetails: false })
  }

  get isConnected(): boolean {
    return this.#session !== undefined
  }

  stop(farewell?: CloseReason): void {
    this.#state = 'stopped'
    this.#attempt.abort()
    clearTimeout(this.#timer)
    this.#drop(farewell)
  }

  /** A refusal tells more than that nothing answered; agents come again within seconds, so an old one is over. */
  #reasonOf(failure: AgentUnavailable): string {
    const refusal = this.#refusal
    // Also when the clock was set back since.
    const isRecent = refusal !== undefined && Math.abs(this.#parts.clock.now() - refusal.atMs) < REFUSAL_KEPT_MS
    return isRecent ? refusal.reason : failure.message
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
    if (this.#polling) return // what is under way uses the session it finds, and schedules what follows
    this.#polling = true
    this.#loss = undefined
    const attempt = new AbortController()
    this.#attempt = attempt
    try {
      const { sample, session } = await this.#measure(this.#everAnswered ? tries : Math.max(tries, FIRST_TRIES))
      if (this.#state !== 'watching') return
      const { store } = this.#parts
      const outcome = await store(sample, session.link, this.#takeovers.remark(this.#parts.clock.now()))
      if (outcome.kind === 'storing paused') {
        this.#scheduleNext()
        return
      }
      this.#everAnswered = true
      this.#detailsKnown ||= sample.machine?.hostname !== undefined
      if (this.#detailsKnown) this.#drives.readWhenDue(session, sample.machine?.smartIntervalMs)
      this.#scheduleNext()
    } catch (error) {
      if (!attempt.signal.aborted) await this.#failed(error)
    } finally {
      this.#polling = false
      if (attempt.signal.aborted) this.#schedule(0, FIRST_TRIES)
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { deadlines, log, system, markDown } = this.#parts
    if (this.#state === 'stopped') return
    if (this.#session !== undefined && error instanceof AgentUnavailable) {
      // The agent dialled us while we failed to reach it.
      this.#schedule(0, TRIES)
      return
    }
    const settlingMs = this.#parts.settlingMs()
    if (settlingMs > 0) {
      this.#schedule(settlingMs, TRIES)
      return
    }
    if (!(error instanceof AgentUnavailable)) log.error('sample not stored', { system, error })
    else if (this.#state === 'watching') {
      log.debug('system not reached', { system, failure: error.failure, reason: error.message })
      await markDown(this.#reasonOf(error)).catch((cause: unknown) => log.error('status not stored', { system, error: cause }))
    }
    this.#schedule(deadlines.downEveryMs, 1)
  }

  /** A sample, with further tries on new connections as long as a failure leaves hope. */
  async #measure(tries: number): Promise<{ readonly sample: Sample; readonly session: AgentSession }> {
    for (let left = tries; ; left--) {
      let session: AgentSession | undefined
      try {
        session = this.#session ?? (await this.#open())
        const document = await session.fetchDocument({ cacheTimeMs: POLL_CACHE_MS, includeDetails: !this.#detailsKnown })
        return { sample: sampleOf(document, this.#parts.log), session }
      } catch (error) {
        await this.#beforeNextTry(error, session, left - 1)
      }
    }
  }

  /** Throws the failure of a try when no other one is worth it. */
  async #beforeNextTry(error: unknown, session: AgentSession | undefined, left: number): Promise<void> {
    const isLast = left === 0 || this.#state !== 'watching' || !(error instanceof AgentUnavailable) || !error.retryable
    // A connection that pings prove alive is asked once more: a late answer is an answer, and a new handshake only costs more.
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
    // While we dialled, the agent may have: its own session is the better one.
    if (this.#session !== undefined || this.#state !== 'watching') session.close()
    else this.#use(session)
    return this.#session ?? session
  }

  #use(session: AgentSession): void {
    this.#session = session
    this.#loss = undefined
    this.#detailsKnown = false
    this.#drives.reconnected()
    void session.closed.then((end) => this.#lost(session, end))
  }

  /** The end of a session is the first failure; what follows is the second try. An agent that closed dials again by itself. */
  #lost(session: AgentSession, end: End): void {
    if (this.#session !== session) return
    this.#session = undefined
    const loss = { link: session.link, end }
    if (this.#polling) this.#loss = loss
    else this.#scheduleAfter(loss)
  }

  #scheduleAfter({ link, end }: Loss): void {
    const { deadlines, settlingMs } = this.#parts
    const dialsAgain = link === 'websocket' && end === 'closed'
    this.#schedule(Math.max(settlingMs(), dialsAgain ? deadlines.reconnectGraceMs : 0), 1)
  }

  #drop(farewell?: CloseReason): void {
    const session = this.#session
    this.#session = undefined
    session?.close(farewell)
  }
}
