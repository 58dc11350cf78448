import { keyOf, type SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Topic } from '../../records/realtime/realtime-topic.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import { finestStep, roundToStep } from '../model/precision.ts'
import type { SeriesTable } from '../model/series-table.ts'
import { columnKinds, storedKindOf, toColumns, type ColumnKind } from './columns.ts'

/**
 * Name of the realtime topic with new samples of one system, `history/{system}`, by the system's id. Like the HTTP route
 * `/api/history/{system}`, it takes the parameter `?kind=`.
 */
const TOPIC = 'history'

const collectionOf = { system: 'system_stats', containers: 'container_stats' } as const

type TailParts = {
  readonly realtime: Pick<Realtime, 'topic'>
  readonly access: Pick<Access, 'viewable'>
  readonly bus: EventBus
}

type Subscription = { readonly system: string; readonly kind: ColumnKind }

/**
 * Starts to send each new sample to those subscribers of the realtime topic `history/{system}` who may view the system. A message has the
 * format of the response of `/api/history/{system}`, with one time. Returns the function that stops it.
 */
export function serveHistoryTail({ realtime, access, bus }: TailParts): () => void {
  let watched: readonly Subscription[] = []
  let unsubscribe = (): void => {}

  const send = realtime.topic({
    name: TOPIC,
    async authorise(actor, topic) {
      const wanted = subscriptionOf(topic)
      return wanted !== undefined && (await access.viewable({ actor }, 'systems', wanted.system)).id === wanted.system
    },
    changed(topics) {
      watched = topics.map(subscriptionOf).filter((wanted) => wanted !== undefined)
      unsubscribe()
      if (watched.length > 0) unsubscribe = bus.subscribe(Object.values(collectionOf), onEvent, () => true)
    },
  })

  function onEvent({ collection, sample }: RecordEvent): void {
    if (sample === undefined) return
    const { system, atMs, points } = sample
    const kinds = new Set(
      watched.filter((one) => one.system === system && collectionOf[storedKindOf(one.kind)] === collection).map(({ kind }) => kind),
    )
    if (kinds.size === 0) return
    const found = { system, table: tableOf(atMs, points), warnings: [] }
    for (const kind of kinds) {
      const data: Json = toColumns(found, kind, '1m', { fromMs: atMs, toMs: atMs + 1 })
      send(data, (topic) => {
        const wanted = subscriptionOf(topic)
        return wanted?.system === system && wanted.kind === kind
      })
    }
  }

  return () => unsubscribe()
}

/**
 * Converts a sample to the one-row table that reading it from the history would give: series sorted by key, values rounded as in storage.
 * If a key occurs twice, the last value wins.
 */
function tableOf(atMs: number, { things, fields, values }: SeriesPoints): SeriesTable {
  const byKey = new Map<string, number>()
  for (const [at, value] of values.entries()) if (Number.isFinite(value)) byKey.set(keyOf(things[at] ?? '', fields[at] ?? ''), value)
  const series = [...byKey].map(([key, value]) => ({ key, average: Float64Array.of(roundToStep(finestStep(key), value)) }))
  return { times: [atMs], series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

/**
 * Parses a realtime topic `history/{system}?kind=…` to the system's id and the group of series. Returns `undefined` for an unknown `kind`.
 */
function subscriptionOf({ rest, text, query }: Topic): Subscription | undefined {
  const [, search = ''] = text.split('?', 2)
  const wanted = new URLSearchParams(search).get('kind') ?? query['kind'] ?? 'system'
  const kind = columnKinds.find((name) => name === wanted)
  return kind === undefined ? undefined : { system: rest, kind }
}
