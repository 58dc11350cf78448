import { isIPv6 } from 'node:net'

/**
 * Maximum number of SSH connections that have not signed in, 512 over all addresses; a further one closes the oldest. The native runtime
 * has an equal limit.
 */
const MAX_UNPROVED = 512
const MAX_UNPROVED_OF_SOURCE = 256
/**
 * Maximum number of signed-in SSH connections, 64; a further one closes the connection that was silent for longest. A hub keeps one open.
 */
const MAX_SIGNED_IN = 64
const REFUSAL_PAUSE_MS = 60_000
const MAX_REMEMBERED_REFUSALS = 1000

/**
 * One SSH connection as the connection limits count it: `source` is its source address (an IPv6 /64 network is one source), and `evict`
 * closes the connection.
 */
export type Slot = { readonly source: string; readonly evict: () => void }

export type Admission = {
  /**
   * Counts a new SSH connection, `slot`, towards the limits of its source address (256) and of all addresses (512). At a limit, the oldest
   * connection within it that has not signed in is closed, by calling its `evict`.
   */
  readonly admit: (slot: Slot) => void
  /**
   * Marks an SSH connection as signed in, so that it no longer counts against its address. With 64 signed-in ones, the one that was silent
   * for longest is closed.
   */
  readonly prove: (slot: Slot) => void
  /** Notes that a signed-in SSH connection received data. At the limit of 64, the connection that was silent for longest is closed. */
  readonly markActive: (slot: Slot) => void
  readonly remove: (slot: Slot) => void
}

export function createAdmission(): Admission {
  const unproved = new Set<Slot>()
  const bySource = new Map<string, Set<Slot>>()
  const signedIn = new Set<Slot>()

  const forgetUnproved = (slot: Slot): void => {
    unproved.delete(slot)
    const same = bySource.get(slot.source)
    same?.delete(slot)
    if (same?.size === 0) bySource.delete(slot.source)
  }
  const evictOldest = (of: ReadonlySet<Slot>, most: number): void => {
    const [oldest] = of
    if (of.size < most || oldest === undefined) return
    forgetUnproved(oldest)
    signedIn.delete(oldest)
    oldest.evict()
  }

  return {
    admit: (slot) => {
      evictOldest(bySource.get(slot.source) ?? new Set(), MAX_UNPROVED_OF_SOURCE)
      evictOldest(unproved, MAX_UNPROVED)
      unproved.add(slot)
      bySource.set(slot.source, (bySource.get(slot.source) ?? new Set<Slot>()).add(slot))
    },
    prove: (slot) => {
      forgetUnproved(slot)
      evictOldest(signedIn, MAX_SIGNED_IN)
      signedIn.add(slot)
    },
    markActive: (slot) => {
      if (signedIn.delete(slot)) signedIn.add(slot)
    },
    remove: (slot) => {
      forgetUnproved(slot)
      signedIn.delete(slot)
    },
  }
}

/**
 * Maximum number of SSH connections, 20, that are accepted in one 20 ms period: 1,000 a second. More connections wait in the kernel's
 * queue. Each costs 0.1 ms of CPU.
 */
const ACCEPTED_PER_PERIOD = 20
const ACCEPT_PERIOD_MS = 20

/**
 * Returns a function to call after each accepted SSH connection. After 20 calls within 20 ms it blocks the process until these 20 ms end,
 * because Node cannot pause accepting.
 */
export function createAcceptPace(nowMs = () => performance.now(), sleep: (ms: number) => void = sleepMs): () => void {
  let left = ACCEPTED_PER_PERIOD
  let endsAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const now = nowMs()
    if (now >= endsAtMs) {
      left = ACCEPTED_PER_PERIOD
      endsAtMs = now + ACCEPT_PERIOD_MS
    }
    left--
    if (left <= 0) sleep(endsAtMs - now)
  }
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4))
const sleepMs = (ms: number): void => void Atomics.wait(neverWoken, 0, 0, ms)

/**
 * Number of units of SSH work, 10, that one source address may do at once; afterwards 20 a second. One unit is a key exchange, which costs
 * milliseconds, or a refusal, after which an abuser reconnects.
 */
const TURNS_AT_ONCE = 10
const TURNS_PER_SECOND = 20
/**
 * Maximum number of SSH connections, 2,048 over all addresses, that wait for the rate limit of their address. Beyond it a connection is
 * served at once, so that the queue stays bounded.
 */
const MAX_WAITING = 2048

export type TurnPace = {
  /**
   * Calls `begin` as soon as the rate limit of its source address allows it, in the order of the calls. If 2,048 calls already wait, it is
   * called at once. Returns a function that removes the waiting call from the queue.
   */
  readonly begin: (source: string, begin: () => void) => () => void
}

export function createTurnPace(): TurnPace {
  const begun = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let waitingCount = 0
  let timer: NodeJS.Timeout | undefined
  const takeBack = (source: string, begin: () => void): void => {
    const queue = waiting.get(source)
    if (queue?.delete(begin)) waitingCount--
    if (queue?.size === 0) waiting.delete(source)
  }
  /**
   * Calls the longest-waiting `begin` callback of each source address, which starts that SSH connection's key exchange or refusal. It runs
   * 20 times a second.
   */
  const tick = (): void => {
    for (const [source, count] of begun) {
      const [next] = waiting.get(source) ?? []
      if (next !== undefined) {
        takeBack(source, next)
        next()
        continue
      }
      if (count > 1) begun.set(source, count - 1)
      else begun.delete(source)
    }
    if (begun.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    begin: (source, begin) => {
      timer ??= setInterval(tick, 1000 / TURNS_PER_SECOND).unref()
      const count = begun.get(source) ?? 0
      if (count < TURNS_AT_ONCE) {
        begun.set(source, count + 1)
        begin()
        return () => undefined
      }
      if (waitingCount >= MAX_WAITING) {
        begin()
        return () => undefined
      }
      waitingCount++
      waiting.set(source, (waiting.get(source) ?? new Set<() => void>()).add(begin))
      return () => takeBack(source, begin)
    },
  }
}

/**
 * Returns the key under which SSH connections of one source are counted: the IPv4 address, or the IPv6 /64 network, since one machine may
 * own all of it.
 */
export function sourceOf(address: string | undefined): string {
  const plain = peerText(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}

/**
 * Returns the address of an SSH client for the log. IPv4 addresses mapped into IPv6 (`::ffff:1.2.3.4`) are shown as IPv4; `local socket`
 * without an address.
 */
export const peerText = (address: string | undefined): string => (address ?? 'local socket').replace(/^::ffff:(?=\d+\.)/, '')

/**
 * Returns a function that takes the source of a refused SSH client (IPv4 address or IPv6 /64 network) and the time in ms. It returns true
 * when that refusal should be logged: at most once a minute for each source, and for at most 1,000 sources.
 */
export function createRefusalLog(): (source: string, nowMs: number) => boolean {
  const toldAtMs = new Map<string, number>()
  return (source, nowMs) => {
    for (const [known, atMs] of toldAtMs) if (nowMs - atMs >= REFUSAL_PAUSE_MS) toldAtMs.delete(known)
    if (toldAtMs.has(source) || toldAtMs.size >= MAX_REMEMBERED_REFUSALS) return false
    toldAtMs.set(source, nowMs)
    return true
  }
}
