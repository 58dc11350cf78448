import type { CborMap } from '@vedette/protocol/cbor/value'
import { toDocumentJson } from '@vedette/protocol/wire/document-json'
import { toInfoJson } from '@vedette/protocol/wire/info-json'
import { systemSeries } from '@vedette/protocol/metrics/series'
import { toStatsJson, type Json, type JsonObject } from '@vedette/protocol/wire/stats-json'
import { fromMebibytes } from '@vedette/protocol/wire/units'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Access } from '../records/engine/access.ts'
import type { Topic } from '../records/realtime/realtime-topic.ts'
import type { Realtime } from '../records/realtime/realtime.ts'
import { sampleOf } from './session/exchange.ts'
import { AgentUnavailable } from './session/fleet-errors.ts'

/**
 * Name (`rt_metrics`) of the realtime topic on which one-second samples are published. Clients pass the system's id as the option `system`
 * of the subscription.
 */
const TOPIC = 'rt_metrics'
const EVERY_MS = 1000

/**
 * Services for publishing one-second samples: `realtime` for the topic, and `access`, which decides which user may subscribe to which
 * system.
 */
export type LiveAudience = { readonly realtime: Pick<Realtime, 'topic'>; readonly access: Pick<Access, 'viewable'> }

type LiveParts = LiveAudience & {
  /**
   * Fetches a one-second sample of a system (by id) from its agent as a CBOR map, for live charts. It is not stored. `undefined` without a
   * connection and for agents before 0.13. Rejects with AgentUnavailable when the request fails.
   */
  readonly fetch: (system: string, cacheTimeMs: number) => Promise<CborMap | undefined>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Starts to fetch a sample of each system with live subscribers from its agent, once a second, and to send it to those. A system whose last
 * request still runs is skipped. The samples are not stored. Returns a function that stops it.
 */
export function serveLive({ realtime, access, fetch, clock, log }: LiveParts): () => void {
  const underWay = new Set<string>()
  let watched: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined

  const send = realtime.topic({
    name: TOPIC,
    async authorise(actor, topic) {
      const system = systemOf(topic)
      return (await access.viewable({ actor }, 'systems', system)).id === system
    },
    changed(topics) {
      const before = watched
      watched = new Set(topics.map(systemOf))
      clearInterval(timer)
      timer = watched.size === 0 ? undefined : setInterval(() => watched.forEach(measure), EVERY_MS)
      for (const system of watched) if (!before.has(system)) measure(system)
    },
  })

  function measure(system: string): void {
    if (underWay.has(system)) return
    underWay.add(system)
    fetch(system, EVERY_MS)
      .then((document) => {
        if (document !== undefined) send(liveJson(document, clock.now(), log), (topic) => systemOf(topic) === system)
      })
      .catch((error: unknown) => {
        if (!(error instanceof AgentUnavailable)) log.error('live measurement failed', { system, error })
      })
      .finally(() => underWay.delete(system))
  }

  return () => clearInterval(timer)
}

const systemOf = (topic: Topic): string => topic.query['system'] ?? ''

/**
 * Converts a one-second sample from CBOR to the JSON that clients of the realtime topic `rt_metrics` expect. Fields of older agents get
 * their current names. Unreadable fields are logged and left out.
 */
export function liveJson(document: CborMap, nowMs: number, log: Log): JsonObject {
  const sample = sampleOf(document, log)
  const said = toDocumentJson(document)
  const containers = said['container']
  return {
    Details: null,
    ...said,
    stats: mergedObjects(objectOf(said['stats']), toStatsJson(systemSeries(sample))),
    info: { ...(toInfoJson(sample, {}, nowMs) as JsonObject), ...objectOf(said['info']) }, // absent fields have no key
    container: Array.isArray(containers) ? containers.filter(isObject).map(withBandwidth) : null,
  }
}

/**
 * Merges two JSON objects without changing them: returns the fields of both, those of `upper` where both have one. Nested objects are
 * merged too; lists are replaced.
 */
function mergedObjects(lower: JsonObject, upper: JsonObject): JsonObject {
  const members = new Map(Object.entries(lower))
  for (const [name, value] of Object.entries(upper)) {
    const below = members.get(name)
    members.set(name, below !== undefined && isObject(below) && isObject(value) ? mergedObjects(below, value) : value)
  }
  return Object.fromEntries(members)
}

function withBandwidth(container: JsonObject): JsonObject {
  const [sent, received] = [container['ns'], container['nr']].map((rate) => (typeof rate === 'number' ? fromMebibytes(rate) : 0))
  return container['b'] === undefined && (sent || received)
    ? { ...container, b: [Math.round(sent ?? 0), Math.round(received ?? 0)] }
    : container
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: Json | undefined): JsonObject => (value !== undefined && isObject(value) ? value : {})
