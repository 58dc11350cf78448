import { networkOf } from '../network/ip-address.ts'

/** Limits of open connections. A group beyond its limit loses its oldest member, never its newest. */
export type ConnectionLimitSettings = {
  /** Unproved connections of one address (IPv6: of one /64 network). */
  readonly unprovedPerSource: number
  /** Unproved connections of all addresses together. */
  readonly unproved: number
  /** Bytes that the unproved connections of one address hold in memory. */
  readonly unprovedBytesPerSource: number
  /** Bytes that the connections of one owner hold in memory. */
  readonly bytesPerOwner: number
}

/** An open connection that is counted. */
export type ConnectionSlot = {
  /** From now on the connection counts for its owner, not for its address. A second proof moves it to another owner. */
  readonly prove: (owner: string, mostOfOwner: number) => void
  /** While the hub checks a proof, the connection does not count for its address. It still counts in the total of all addresses. */
  readonly checkProof: (isChecking: boolean) => void
  /** Reports how many bytes the connection holds in memory. */
  readonly holdBytes: (bytes: number) => void
  /** Call this when the connection is closed. */
  readonly release: () => void
}

export type ConnectionLimits = {
  /** `evict` is called at most once, when the connection must close for a newer one. */
  readonly open: (address: string, evict: () => void) => ConnectionSlot
  /** Number of connections that count for an owner. */
  readonly countOfOwner: (owner: string) => number
  /** Number of unproved connections. */
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

/** Runs work after all currently readable sockets have been read. */
export type Later = (work: () => void) => void

/**
 * A newly accepted connection is read in the next turn of the event loop at the earliest. Thousands of agents that connect at once can
 * all send their token before one is closed.
 */
export const afterReading: Later = (work) => void setImmediate(() => setImmediate(work))

/** Counts open connections. A Set keeps insertion order, so the first member of a group is its oldest. */
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
   * Evicts connections until the group's bytes fit: first those that hold at least their share, since a client that sent little is not
   * the cause. The newest holder stays. A single connection may hold as much as its own limit allows, even if the group's limit is
   * smaller.
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
