import type { LogSettings } from '../operations/logs/log-settings.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import { SETTINGS, type Settings } from '../settings/settings.ts'

/**
 * Loads the settings of the log, and keeps them until an admin changes some on any hub. They decide about every entry, and a load balancer
 * causes one each second.
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
