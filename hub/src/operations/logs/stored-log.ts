import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import { serialised, type Log, type LogFields, type LogLevel, type LogOf } from '../../platform/log.ts'
import { levels } from './log-entry.ts'
import type { LogQueue } from './log-queue.ts'

/** A logger that also stores its entries, except `debug` entries, which are written every tick. */
export function storedLog(logOf: LogOf, queue: LogQueue, clock: Clock): LogOf {
  return (area) => {
    const log = logOf(area)
    const also =
      (level: Exclude<LogLevel, 'debug'>) =>
      (message: string, fields: LogFields = {}): void => {
        log[level](message, fields)
        const data = { ...asJson(fields), type: 'hub', area }
        queue.note({ atMs: clock.now(), level: levels[level], message, account: '', address: '', data })
      }
    const kept: Log = { debug: log.debug, info: also('info'), warn: also('warn'), error: also('error') }
    return kept
  }
}

function asJson(fields: LogFields): { [name: string]: Json } {
  const text = JSON.stringify(serialised(fields))
  const read: { [name: string]: Json } = JSON.parse(text)
  return read
}
