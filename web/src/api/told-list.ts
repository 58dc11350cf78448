import { applyEvent } from './apply-event.ts'

/** A list that is read now and then and told of changes between. */
export type ToldList<T> = {
  /** Reads it; what is told meanwhile happened after what an answer under way holds, or stands in it already. */
  readonly read: (signal: AbortSignal) => Promise<readonly T[]>
  readonly tell: (action: string, record: T) => void
}

/** Keeps an answer that was overtaken by an event from undoing it. */
export function toldList<T extends { readonly id: string }>(fetchList: (signal: AbortSignal) => Promise<readonly T[]>): ToldList<T> {
  const readings = new Set<{ readonly action: string; readonly record: T }[]>()
  return {
    async read(signal) {
      const told: { readonly action: string; readonly record: T }[] = []
      readings.add(told)
      try {
        const list = await fetchList(signal)
        return told.reduce((current, { action, record }) => applyEvent(current, action, record), list)
      } finally {
        readings.delete(told)
      }
    },
    tell(action, record) {
      for (const told of readings) told.push({ action, record })
    },
  }
}
