import type { LogSettings } from '../operations/logs/log-settings.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import { SETTINGS, type Settings } from '../settings/settings.ts'

/**
 * Creates a function that resolves to the current settings of the stored log, which the hub needs for every log entry. They are cached
 * until an admin changes settings on any hub.
 */
export function logSettings({ load }: Pick<Settings, 'load'>, bus: Pick<EventBus, 'subscribe'>): () => Promise<LogSettings> {
  let loading: Promise<LogSettings> | undefined
  bus.subscribe([SETTINGS], () => {
    loading = undefined
  })
  async function loaded(): Promise<LogSettings> {
    try {
      return (await load()).logs
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  return () => (loading ??= loaded())
}
