import type { Json } from '@vedette/protocol/wire/stats-json'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Topic } from '../../records/realtime/realtime-topic.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import { columnKinds, storedKindOf, toColumns, type ColumnKind } from './columns.ts'
import type { History } from '../model/history.ts'

/** `history/{system}`, with `?kind=` as the history endpoint has it. */
const TOPIC = 'history'

const collectionOf = { system: 'system_stats', containers: 'container_stats' } as const

type TailParts = {
  readonly realtime: Pick<Realtime, 'topic'>
  readonly access: Pick<Access, 'viewable'>
  readonly history: Pick<History, 'read'>
  readonly bus: EventBus
  readonly log: Log
}

type Watched = { readonly system: string; readonly kind: ColumnKind }

/** Sends each new sample of a watched system as columns of one time, to whoever may see the system. Returns the undo. */
export function serveHistoryTail({ realtime, access, history, bus, log }: TailParts): () => void {
  let watched: readonly Watched[] = []

  const send = realtime.topic({
    name: TOPIC,
    async authorise(actor, topic) {
      const asked = watchedBy(topic)
      return asked !== undefined && (await access.viewable(actor, 'systems', asked.system)).id === asked.system
    },
    changed(topics) {
      watched = topics.map(watchedBy).filter((asked) => asked !== undefined)
    },
  })

  async function tell(event: RecordEvent): Promise<void> {
    const { system, type, created } = event.record
    if (typeof system !== 'string' || type !== '1m' || typeof created !== 'string') return
    const atMs = Date.parse(created.replace(' ', 'T'))
    const kinds = new Set(
      watched.filter((one) => one.system === system && collectionOf[storedKindOf(one.kind)] === event.collection).map(({ kind }) => kind),
    )
    if (kinds.size === 0) return
    const window = { fromMs: atMs, toMs: atMs + 1 }
    for (const kind of kinds) {
      const [found] = await history.read({ systems: [system], kind: storedKindOf(kind), tier: '1m', window })
      if (found === undefined) continue
      const data: Json = toColumns(found, kind, '1m', window)
      send(data, (topic) => {
        const asked = watchedBy(topic)
        return asked?.system === system && asked.kind === kind
      })
    }
  }

  return bus.subscribe(
    (event) => {
      if (event.action !== 'create' || watched.length === 0 || !isTold(event.collection)) return
      tell(event).catch((error: unknown) => log.error('a new sample was not sent', { error }))
    },
    (collection) => watched.length > 0 && isTold(collection),
  )
}

const isTold = (collection: string): boolean => collection === collectionOf.system || collection === collectionOf.containers

/** Undefined for a kind that does not exist. */
function watchedBy({ rest, text, query }: Topic): Watched | undefined {
  const [, search = ''] = text.split('?', 2)
  const asked = new URLSearchParams(search).get('kind') ?? query['kind'] ?? 'system'
  const kind = columnKinds.find((name) => name === asked)
  return kind === undefined ? undefined : { system: rest, kind }
}
