import { networkOf } from '../network/ip-address.ts'

/** How much may be open at once. A group beyond its limit loses its oldest member, never its newest. */
export type ConnectionLimitSettings = {
  /** Unproved connections of one address; of IPv6 of one /64 network. */
  readonly unprovedPerSource: number
  /** Unproved connections of all addresses together. */
  readonly unproved: number
  /** Bytes that the unproved connections of one address hold in memory. */
  readonly unprovedBytesPerSource: number
  /** Bytes that the connections of one owner hold in memory. */
  readonly bytesPerOwner: number
}

/** One open connection in the books. */
export type ConnectionSlot = {
  /** From now on the connection counts for its owner and no longer for its address. A second proof moves it to another owner. */
  readonly prove: (owner: string, mostOfOwner: number) => void
  /** The hub is checking a proof: what waits for the hub does not count for its address. It still counts for all addresses together. */
  readonly checkProof: (isChecking: boolean) => void
  /** How many bytes the connection holds in memory now. */
  readonly holdBytes: (bytes: number) => void
  /** The connection is closed. */
  readonly release: () => void
}

export type ConnectionLimits = {
  /** `evict` is called at most once, when the connection must close for a newer one. */
  readonly open: (address: string, evict: () => void) => ConnectionSlot
  /** Connections that count for an owner. */
  readonly countOfOwner: (owner: string) => number
  /** Connections that have proved nothing. */
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

/** Runs work after the sockets that are readable now have been read. */
export type Later = (work: () => void) => void

/**
 * A connection that was just accepted is read in the next turn of the event loop at the earliest. Thousands of agents that
 * dial at the same moment all get the chance to show their token before one of them is closed.
 */
export const afterReading: Later = (work) => void setImmediate(() => setImmediate(work))

/** Keeps the books of open connections. Sets remember the order of insertion: the first member of a group is its oldest. */
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
   * One connection may hold what its own limit allows, however small the limit of the group is. Those that hold more than their share go
   * first: a client that sent little is no reason for the shortage.
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
