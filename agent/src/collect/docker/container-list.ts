import type { Skipped } from '@vedette/protocol/metrics/diagnosis'
import type { Bytes, Runtime } from '../../runtime.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { isList } from '../../text/json.ts'
import { parseAnswer, type EngineClient, type EngineKind } from './client.ts'
import { createEngineChanges } from './engine-changes.ts'
import { listedContainer, namedContainers, type ListedContainer } from './list.ts'

/** What the engine says of the containers that run. */
export type ContainerList = {
  readonly all: readonly Named[]
  /** Those that nobody wants left out. */
  readonly listed: readonly ListedContainer[]
  readonly skipped: readonly Skipped[]
}

/** A list, and when it had been told. */
export type DatedList = { readonly list: ContainerList; readonly listedAtMs: number }

export type Named = Pick<ListedContainer, 'id' | 'name'>

export type ContainerLists = {
  /** The last one, while the engine can be asked. */
  readonly last: () => ContainerList | undefined
  /** The last one, if nothing happened since. Whoever asks this often begins to hear what happens. */
  readonly holding: (kind: EngineKind) => DatedList | undefined
  /** As it is now. Throws `SourceUnreadable`. */
  readonly ask: () => Promise<DatedList>
  readonly forget: () => void
}

type Told = DatedList & {
  /** As it came; absent where it is too long to be kept. */
  readonly body: Bytes | undefined
  readonly askedAtMs: number
  /** See `EngineChanges`. */
  readonly mark: number | undefined
}

const PATH = '/containers/json'

/** More make a sample that no hub keeps. */
const MAX_CONTAINERS = 1000

/** Of some hundred containers. */
const MAX_KEPT_BYTES = 128 * 1024

/** While nothing happens, a list says otherwise only how long its containers have been running: in minutes, or seconds within their first one. */
const HOLDS_MS = 10_000
const YOUNG_HOLDS_MS = 3000

/** Who asks again within this time will go on asking. */
const OFTEN_MS = 5000

export function containerLists(runtime: Runtime, engine: EngineClient, isExcluded: (name: string) => boolean): ContainerLists {
  const nowMs = (): number => runtime.clock().monotonicMs
  const changes = createEngineChanges(engine, nowMs)
  let last: Told | undefined
  let wantedAtMs = Number.NEGATIVE_INFINITY

  const parse = (body: Bytes): ContainerList => {
    const value = parseAnswer(PATH, runtime.bytes.fromUtf8(body))
    if (!isList(value)) throw new SourceUnreadable('Cannot parse the list of containers: it is no list')
    const named = namedContainers(value)
    const included = named.filter(({ name }) => !isExcluded(name))
    return {
      all: named.map(({ id, name }) => ({ id, name })),
      listed: included.slice(0, MAX_CONTAINERS).map(listedContainer),
      skipped: skippedOf(named, included),
    }
  }

  const ask = async (): Promise<Told> => {
    const askedAtMs = nowMs()
    const mark = changes.mark()
    const { body } = await engine.getBody(PATH)
    const listedAtMs = nowMs()
    // Engines say the same for a minute and longer: then it is taken apart once.
    const isSame = last?.body !== undefined && runtime.bytes.equal(last.body, body)
    const told = last !== undefined && isSame ? last : { body: body.length <= MAX_KEPT_BYTES ? body : undefined, list: parse(body) }
    return { ...told, askedAtMs, listedAtMs, mark }
  }

  const holds = ({ list, askedAtMs, mark }: Told, atMs: number): boolean =>
    mark !== undefined && mark === changes.mark() && atMs - askedAtMs < (list.listed.some(isYoung) ? YOUNG_HOLDS_MS : HOLDS_MS)

  return {
    last: () => last?.list,
    holding: ({ podman }) => {
      const atMs = nowMs()
      if (!podman && atMs - wantedAtMs < OFTEN_MS) changes.hear()
      wantedAtMs = atMs
      return last !== undefined && holds(last, atMs) ? last : undefined
    },
    ask: async () => {
      last = await ask()
      return last
    },
    forget: () => {
      last = undefined
    },
  }
}

const isYoung = ({ upAtLeastMs }: ListedContainer): boolean => upAtLeastMs !== undefined

function skippedOf(all: readonly Named[], included: readonly Named[]): readonly Skipped[] {
  const kept = new Set(included)
  const excluded = all.filter((one) => !kept.has(one)).map(({ name }) => ({ what: name, why: 'EXCLUDE_CONTAINERS names it' }))
  const beyond = included.length - MAX_CONTAINERS
  return beyond <= 0 ? excluded : [...excluded, { what: `${beyond} containers`, why: `more than ${MAX_CONTAINERS}` }]
}
