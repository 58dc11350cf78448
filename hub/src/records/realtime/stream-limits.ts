import { TooManyError } from '../../platform/http/http-error.ts'
import { connectionLimits } from '../../platform/limits/connection-limits.ts'

/** Maximum numbers of open event streams of this hub: of guests per address and in total, per account, and of all together. */
export type StreamLimits = {
  /**
   * Maximum number of open event streams of guests from one address. One more closes the oldest of them. Each event stream starts as a
   * guest's.
   */
  readonly guestsPerAddress: number
  readonly guests: number
  readonly perAccount: number
  /** Maximum number of open event streams of this hub, of guests and accounts together. One more is rejected with 429. */
  readonly all: number
}

export const standardStreamLimits: StreamLimits = { guestsPerAddress: 256, guests: 4096, perAccount: 1000, all: 10_000 }

/** Value of the header `Retry-After` for a rejected event stream, in seconds (10). */
const RETRY_SECONDS = 10

/**
 * Handle of one open event stream for the stream limits: `countFor` counts it for an account, `release` ends its counting when it closes.
 */
export type StreamSlot = {
  /**
   * Counts the event stream for this account (by id) instead of its address, once the client has signed in. Throws 429 and changes nothing
   * when the account has too many event streams.
   */
  readonly countFor: (account: string) => void
  readonly release: () => void
}

/**
 * Creates the limits of event streams. `open` counts a new stream, and throws 429 when there are too many in total. Its argument `close` is
 * called when the stream must end in favour of newer ones.
 */
export function streamSlots(limits: StreamLimits): { readonly open: (address: string, close: () => void) => StreamSlot } {
  const books = connectionLimits({
    unprovedPerSource: limits.guestsPerAddress,
    unproved: limits.guests,
    unprovedBytesPerSource: Number.POSITIVE_INFINITY,
    bytesPerOwner: Number.POSITIVE_INFINITY,
  })
  let open = 0
  return {
    open(address, close) {
      if (open >= limits.all) throw new TooManyError(RETRY_SECONDS)
      open += 1
      const slot = books.open(address, close)
      let countedFor: string | undefined
      return {
        countFor(account) {
          if (countedFor === account) return
          if (books.countOfOwner(account) >= limits.perAccount) throw new TooManyError(RETRY_SECONDS)
          countedFor = account
          slot.prove(account, limits.perAccount)
        },
        release() {
          open -= 1
          slot.release()
        },
      }
    },
  }
}
