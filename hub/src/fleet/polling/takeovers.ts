/** This many connections that took the place of a living one within the window are two agents fighting. */
const FIGHT_TAKEOVERS = 3
const WINDOW_MS = 60_000

/** How long a fight is told after its last sign; the loser of one comes again every 10 s. */
const TOLD_MS = 120_000

/**
 * Two machines with one fingerprint, such as a cloned disk, take each other's connection for as long as the newcomer wins.
 * An agent that lost its network without noticing does so once, perhaps twice.
 */
export type Takeovers = {
  /** Another agent wants the place of one that is connected. Whether it may have it. */
  readonly allow: (newcomer: string, holder: string, nowMs: number) => boolean
  /** What to tell about a fight that is going on. */
  readonly remark: (nowMs: number) => string | undefined
}

export function takeovers(): Takeovers {
  let times: readonly number[] = []
  let fight: { readonly peers: string; readonly atMs: number } | undefined
  return {
    allow(newcomer, holder, nowMs) {
      times = [...times.filter((at) => isWithin(at, nowMs, WINDOW_MS)), nowMs].slice(-FIGHT_TAKEOVERS)
      if (times.length < FIGHT_TAKEOVERS) return true
      fight = { peers: newcomer === holder ? `both from ${holder}` : `${holder} and ${newcomer}`, atMs: nowMs }
      return false
    },
    remark: (nowMs) =>
      fight !== undefined && isWithin(fight.atMs, nowMs, TOLD_MS)
        ? `Two agents with the same token and fingerprint connect as this system (${fight.peers}); only one is heard. ` +
          'Delete the fingerprint file of one of them, or give it a token of its own.'
        : undefined,
  }
}

/** A time in the future is older than a step back of the clock: nobody knows how long ago it was. */
const isWithin = (atMs: number, nowMs: number, windowMs: number): boolean => atMs <= nowMs && nowMs - atMs < windowMs
