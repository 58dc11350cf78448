import { TooManyError } from '../../platform/http/http-error.ts'
import { connectionLimits } from '../../platform/limits/connection-limits.ts'

/** Most event streams that may be open at once. */
export type StreamLimits = {
  /** Guest streams from one address. One more closes the oldest, since each stream starts as a guest's. */
  readonly guestsPerAddress: number
  readonly guests: number
  readonly perAccount: number
  /** Streams of guests and accounts together. */
  readonly all: number
}

export const standardStreamLimits: StreamLimits = { guestsPerAddress: 256, guests: 4096, perAccount: 1000, all: 10_000 }

/** `Retry-After` in seconds for a client whose stream was rejected. */
const RETRY_SECONDS = 10

/** The slot of one open event stream. */
export type StreamSlot = {
  /** Counts the stream for this account from now on. Throws 429 without a change when the account has too many streams. */
  readonly countFor: (account: string) => void
  readonly release: () => void
}

/** Creates the function that opens slots. It throws 429 when there are too many streams in all. */
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
