import { TooManyError } from '../../platform/http/http-error.ts'
import { connectionLimits } from '../../platform/limits/connection-limits.ts'

/** How many event streams may be open at once. */
export type StreamLimits = {
  /** Streams of guests at one address. One more closes the oldest: each stream begins as a guest's. */
  readonly guestsPerAddress: number
  readonly guests: number
  readonly perAccount: number
  /** Streams of guests and accounts together. */
  readonly all: number
}

export const standardStreamLimits: StreamLimits = { guestsPerAddress: 256, guests: 4096, perAccount: 1000, all: 10_000 }

/** Seconds after which a client that was refused a stream may try again. */
const RETRY_SECONDS = 10

/** One event stream in the books. */
export type StreamSlot = {
  /** The stream counts for this account from now on. Throws 429 when the account has too many; nothing changes then. */
  readonly countFor: (account: string) => void
  readonly release: () => void
}

/** Opens slots. Throws 429 when there are too many streams of everybody. */
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
