import type { Json } from '@vedette/protocol/wire/stats-json'
import type { HubMessages } from '../src/platform/cluster/hub-messages.ts'

type Listener = (message: Json, subject: string) => void

/** Messages between hubs in this process. A test can cut the connection. */
export function messagesInMemory() {
  const hubs = new Set<Map<string, Set<Listener>>>()
  let isConnected = true
  return {
    cut: () => void (isConnected = false),
    heal: () => void (isConnected = true),
    connect(): Pick<HubMessages, 'publish' | 'subscribe' | 'isConnected'> {
      const mine = new Map<string, Set<Listener>>()
      hubs.add(mine)
      return {
        isConnected: () => isConnected,
        publish(subject, message) {
          if (!isConnected) return
          for (const hub of hubs) if (hub !== mine) for (const listener of hub.get(subject) ?? []) listener(message, subject)
        },
        subscribe(subject, listener) {
          const listeners = mine.get(subject) ?? new Set()
          mine.set(subject, listeners.add(listener))
          return () => void listeners.delete(listener)
        },
      }
    },
  }
}
