import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import { INCIDENTS, loadReaders } from './incident-access.ts'

type TopicParts = {
  readonly realtime: Pick<Realtime, 'topic'>
  readonly engine: Engine
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly log: Log
}

/**
 * Starts to send `{ incident }`, its id, to subscribers of the realtime topic `incidents` after an incident was acknowledged or escalated,
 * or an escalated one changed. Only users who may read the incident then get it. Returns the function that stops it.
 */
export function serveIncidents({ realtime, engine, bus, log }: TopicParts): () => void {
  let unsubscribe = (): void => {}
  const send = realtime.topic({
    name: INCIDENTS,
    authorise: async (actor) => actor !== undefined,
    changed(topics) {
      unsubscribe()
      if (topics.length > 0) unsubscribe = bus.subscribe([INCIDENTS], onEvent)
    },
  })

  async function inform(incident: string): Promise<void> {
    const readers = await loadReaders(engine, incident)
    send({ incident }, (_, actor) => actor !== undefined && readers.has(actor.id))
  }

  function onEvent({ record }: RecordEvent): void {
    void inform(record.id).catch((error: unknown) => log.error('event not delivered', { error }))
  }

  return () => unsubscribe()
}
