import { networkOf } from '../network/ip-address.ts'

/**
 * Limits of open connections by client address and by owner (such as an account). "Unproved" connections have not shown a valid token or
 * session. When a limit is exceeded, the hub closes the oldest connections that count for it; for a limit of bytes, first those that hold
 * many.
 */
export type ConnectionLimitSettings = {
  /**
   * Maximum number of open connections of one IPv4 address or IPv6 /64 network that have not shown a valid token or session. One more
   * closes the oldest of them.
   */
  readonly unprovedPerSource: number
  /**
   * Maximum number of open connections, of all addresses together, that have not shown a valid token or session. One more closes the oldest
   * of them.
   */
  readonly unproved: number
  /**
   * Maximum number of bytes in memory for connections of one address (IPv6: of one /64 network) that have not shown a valid token or
   * session.
   */
  readonly unprovedBytesPerSource: number
  /** Maximum number of bytes that the hub holds in memory for the authenticated connections of one owner, such as an account. */
  readonly bytesPerOwner: number
}

/**
 * Handle of one open connection in the connection limits: `prove` counts it for an owner, `holdBytes` sets its bytes in memory, `release`
 * removes it.
 */
export type ConnectionSlot = {
  /**
   * Moves the connection into the limit of an owner, such as an account, after it showed a valid token or session. `mostOfOwner`: maximum
   * number of the owner's connections. A second call moves it to another owner.
   */
  readonly prove: (owner: string, mostOfOwner: number) => void
  /**
   * Sets whether the hub is checking the connection's token. Meanwhile (`true`) the connection does not count in the limit of its address,
   * only in the total.
   */
  readonly checkProof: (isChecking: boolean) => void
  /**
   * Sets how many bytes the hub now holds in memory for the connection, such as of an unfinished request body. The value replaces the
   * earlier one, and counts against the limits of bytes.
   */
  readonly holdBytes: (bytes: number) => void
  /** Removes the connection from the counts of the limits. Call it when the connection is closed. */
  readonly release: () => void
}

export type ConnectionLimits = {
  /**
   * Counts a new connection of an address and returns its handle. `evict` must close the connection; the limits call it, at most once, when
   * this connection must give way to newer ones.
   */
  readonly open: (address: string, evict: () => void) => ConnectionSlot
  /** Returns the number of open connections that {@link ConnectionSlot} `prove` has counted for an owner, such as an account. */
  readonly countOfOwner: (owner: string) => number
  /** Returns the number of open connections of all addresses that have not shown a valid token or session. */
  readonly unproved: () => number
}

type Group = { readonly key: string; readonly most: number; readonly mostBytes: number; readonly members: Set<Member>; bytes: number }

class Member {
  readonly source: string
  readonly evict: () => void
  group: Group | undefined
  isChecking = false
  isProved = false
  bytes = 0

  constructor(source: string, evict: () => void) {
    this.source = source
    this.evict = evict
  }
}

/**
 * Function that calls `work` once, after the server has read the data that clients have sent by now. The connection limits wait by it, so
 * that a connection whose valid token is in that data is not closed.
 */
export type Later = (work: () => void) => void

/**
 * Calls `work` two turns of the event loop later. The next turn reads new connections, so that thousands of agents can show their tokens
 * before the connection limits close one.
 */
export const afterReading: Later = (work) => void setImmediate(() => setImmediate(work))

/**
 * Creates the limiter of open connections: `open` counts one. It closes the oldest connections of an address or owner that has too many.
 * `later` delays that until sent tokens have been read.
 */
export function connectionLimits(settings: ConnectionLimitSettings, later: Later = afterReading): ConnectionLimits {
  const groups = new Map<string, Group>()
  const unproved = new Set<Member>()
  const exceeded = new Set<Group>()
  let isScheduled = false

  function groupOf(key: string, most: number, mostBytes: number): Group {
    const known = groups.get(key)
    if (known !== undefined) return known
    const group: Group = { key, most, mostBytes, members: new Set(), bytes: 0 }
    groups.set(key, group)
    return group
  }

  function join(member: Member, group: Group): void {
    member.group = group
    group.members.add(member)
    group.bytes += member.bytes
    checkLater(group)
  }

  function leave(member: Member): void {
    const { group } = member
    if (group === undefined) return
    member.group = undefined
    group.members.delete(member)
    group.bytes -= member.bytes
    if (group.members.size > 0) return
    groups.delete(group.key)
    exceeded.delete(group)
  }

  const joinSource = (member: Member): void =>
    join(member, groupOf(`source ${member.source}`, settings.unprovedPerSource, settings.unprovedBytesPerSource))

  const isBeyond = ({ members, most, bytes, mostBytes }: Group): boolean => members.size > most || bytes > mostBytes

  function checkLater(group: Group): void {
    if (isBeyond(group)) exceeded.add(group)
    if (isScheduled || (exceeded.size === 0 && unproved.size <= settings.unproved)) return
    isScheduled = true
    later(() => {
      isScheduled = false
      evictOldest()
    })
  }

  function evictOldest(): void {
    for (const group of exceeded) {
      for (const member of group.members) {
        if (group.members.size <= group.most) break
        end(member)
      }
      evictHolders(group)
    }
    exceeded.clear()
    for (const member of unproved) {
      if (unproved.size <= settings.unproved) break
      end(member)
    }
  }

  /**
   * Closes connections of one address or owner (`group`) until the bytes that they hold in memory fit the limit. First come those that hold
   * at least the average, oldest first. The newest one that holds bytes stays open.
   */
  function evictHolders(group: Group): void {
    if (group.bytes <= group.mostBytes) return
    const holders = [...group.members].filter(({ bytes }) => bytes > 0)
    const share = group.bytes / holders.length
    const older = holders.slice(0, -1)
    const isLarge = ({ bytes }: Member): boolean => bytes >= share
    for (const member of [...older.filter(isLarge), ...older.filter((one) => !isLarge(one))]) {
      if (group.bytes <= group.mostBytes) return
      end(member)
    }
  }

  function forget(member: Member): void {
    leave(member)
    unproved.delete(member)
  }

  function end(member: Member): void {
    forget(member)
    member.evict()
  }

  return {
    open(address, evict) {
      const member = new Member(networkOf(address), evict)
      unproved.add(member)
      joinSource(member)
      const isCounted = (): boolean => member.group !== undefined || unproved.has(member)
      return {
        prove(owner, mostOfOwner) {
          const key = `owner ${owner}`
          if (!isCounted() || member.group?.key === key) return
          forget(member)
          member.isProved = true
          join(member, groupOf(key, mostOfOwner, settings.bytesPerOwner))
        },
        checkProof(isChecking) {
          if (!isCounted() || member.isProved || member.isChecking === isChecking) return
          member.isChecking = isChecking
          if (isChecking) leave(member)
          else joinSource(member)
        },
        holdBytes(bytes) {
          const { group } = member
          if (group !== undefined) group.bytes += bytes - member.bytes
          member.bytes = bytes
          if (group !== undefined) checkLater(group)
        },
        release: () => forget(member),
      }
    },
    countOfOwner: (owner) => groups.get(`owner ${owner}`)?.members.size ?? 0,
    unproved: () => unproved.size,
  }
}
