import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Bytes, Runtime } from '../../runtime/runtime.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { isList } from '../../text/json.ts'
import { parseAnswer, type EngineClient, type EngineKind } from './client.ts'
import { createEngineChanges } from './engine-changes.ts'
import { listedContainer, namedContainers, type ListedContainer } from './list.ts'

/**
 * Running containers from one response of Docker or Podman: `all` with id and name, `listed` with all fields to report, and `skipped` ones
 * with the reason.
 */
export type ContainerList = {
  readonly all: readonly ContainerName[]
  /** List of the running containers to report in samples: those that the configuration does not exclude, at most 1,000. */
  readonly listed: readonly ListedContainer[]
  readonly skipped: readonly SkippedPart[]
}

/** Container list of Docker or Podman (`list`), and the monotonic time in ms at which the response with it arrived. */
export type DatedList = { readonly list: ContainerList; readonly listedAtMs: number }

export type ContainerName = Pick<ListedContainer, 'id' | 'name'>

export type ContainerLists = {
  /** Returns the cached container list of Docker or Podman, however old; `undefined` before the first response and after `clear`. */
  readonly last: () => ContainerList | undefined
  /**
   * Returns the cached container list if Docker's event stream shows no change and it is young enough, else `undefined`. The limit is 10 s,
   * or 3 s while a container runs for less than 1 min. Calls less than 5 s apart open that stream, but not on Podman.
   */
  readonly validList: (kind: EngineKind) => DatedList | undefined
  /**
   * Requests the list of running containers from Docker or Podman, caches it, and resolves with it. Rejects with `SourceUnreadable` when
   * the request fails.
   */
  readonly request: () => Promise<DatedList>
  readonly clear: () => void
}

type CachedList = DatedList & {
  /** Bytes of the container list's response body, to detect an equal response; `undefined` when it is longer than 128 KiB. */
  readonly body: Bytes | undefined
  readonly askedAtMs: number
  /**
   * Value of `EngineChanges.mark` (a number that changes with each Docker event) when the list was requested. The cached list is valid
   * while the mark is unchanged; never if it is `undefined`.
   */
  readonly mark: number | undefined
}

const PATH = '/containers/json'

/**
 * Maximum number of containers, 1,000, in a sample; further ones are left out and reported as skipped. Hubs do not store a sample with
 * more.
 */
const MAX_CONTAINERS = 1000

/**
 * Size limit in bytes of a container list's response body in the cache: about 100 containers. A longer body is not cached, so an equal
 * response is parsed again.
 */
const MAX_KEPT_BYTES = 128 * 1024

/**
 * Age in ms, 10 s, from which a cached container list is not used, although Docker's event stream reports no change. Meanwhile only uptime
 * texts change.
 */
const HOLDS_MS = 10_000
const YOUNG_HOLDS_MS = 3000

/**
 * Time in ms, 5 s: two calls of `validList` that are less apart count as frequent, as for a live view. Then subscribing to Docker's events
 * pays off.
 */
const OFTEN_MS = 5000

export function containerLists(runtime: Runtime, engine: EngineClient, isExcluded: (name: string) => boolean): ContainerLists {
  const nowMs = (): number => runtime.clock().monotonicMs
  const changes = createEngineChanges(engine, nowMs)
  let last: CachedList | undefined
  let wantedAtMs = Number.NEGATIVE_INFINITY

  const parse = (body: Bytes): ContainerList => {
    const value = parseAnswer(PATH, runtime.bytes.fromUtf8(body))
    if (!isList(value)) throw new SourceUnreadable('Cannot parse the list of containers: it is not a list')
    const named = namedContainers(value)
    const included = named.filter(({ name }) => !isExcluded(name))
    return {
      all: named.map(({ id, name }) => ({ id, name })),
      listed: included.slice(0, MAX_CONTAINERS).map(listedContainer),
      skipped: skippedOf(named, included),
    }
  }

  const ask = async (): Promise<CachedList> => {
    const askedAtMs = nowMs()
    const mark = changes.mark()
    const { body } = await engine.getBody(PATH)
    const listedAtMs = nowMs()
    // The response often stays equal for a minute or longer, so the parsed list is reused.
    const isSame = last?.body !== undefined && runtime.bytes.equal(last.body, body)
    const told = last !== undefined && isSame ? last : { body: body.length <= MAX_KEPT_BYTES ? body : undefined, list: parse(body) }
    return { ...told, askedAtMs, listedAtMs, mark }
  }

  const holds = ({ list, askedAtMs, mark }: CachedList, atMs: number): boolean =>
    mark !== undefined && mark === changes.mark() && atMs - askedAtMs < (list.listed.some(isYoung) ? YOUNG_HOLDS_MS : HOLDS_MS)

  return {
    last: () => last?.list,
    validList: ({ podman }) => {
      const atMs = nowMs()
      if (!podman && atMs - wantedAtMs < OFTEN_MS) changes.subscribe()
      wantedAtMs = atMs
      return last !== undefined && holds(last, atMs) ? last : undefined
    },
    request: async () => {
      last = await ask()
      return last
    },
    clear: () => {
      last = undefined
    },
  }
}

const isYoung = ({ upAtLeastMs }: ListedContainer): boolean => upAtLeastMs !== undefined

function skippedOf(all: readonly ContainerName[], included: readonly ContainerName[]): readonly SkippedPart[] {
  const kept = new Set(included)
  const excluded = all.filter((one) => !kept.has(one)).map(({ name }) => ({ what: name, why: 'EXCLUDE_CONTAINERS names it' }))
  const beyond = included.length - MAX_CONTAINERS
  return beyond <= 0 ? excluded : [...excluded, { what: `${beyond} containers`, why: `more than ${MAX_CONTAINERS}` }]
}
