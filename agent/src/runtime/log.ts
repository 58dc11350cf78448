import type { LogLevel, Runtime } from './runtime.ts'

export type LogFields = { readonly [name: string]: string | number | boolean | undefined }

/**
 * Functions of a log, one for each level: debug, info, warn and error. `message` is constant, so that it can be searched for; variable
 * values go into `fields`. Never log a secret.
 */
export type Log = { readonly [level in LogLevel]: (message: string, fields?: LogFields) => void } & {
  /** Writes a log line unless it equals the last one with the same `topic`, so that a lasting problem is logged once, not every minute. */
  readonly change: (topic: string, level: LogLevel, message: string, fields?: LogFields) => void
  /** Forgets the last log line of `topic` after its problem is solved, so that the next problem is logged even if its text is equal. */
  readonly clearTopic: (topic: string) => void
}

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const MAX_TOPICS = 1000
const MAX_FIELD_LENGTH = 500

/**
 * Creates a log that writes lines of the form `message name=value …` to the runtime (Node or native), which adds time and level. Lines
 * below the level `least` are dropped.
 */
export function logTo(runtime: Runtime, least: LogLevel): Log {
  const lastSaid = new Map<string, string>()
  const write = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (severity[level] >= severity[least]) runtime.log(level, line(message, fields))
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    change: (topic, level, message, fields = {}) => {
      const text = line(message, fields)
      if (lastSaid.get(topic) === text) return
      if (lastSaid.size >= MAX_TOPICS) lastSaid.clear()
      lastSaid.set(topic, text)
      write(level, message, fields)
    },
    clearTopic: (topic) => {
      lastSaid.delete(topic)
    },
  }
}

const line = (message: string, fields: LogFields): string =>
  [message, ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]))].join(' ')

/**
 * Returns a log field's value as text, quoted if necessary; a text is cut after 500 characters. Control characters, which may come from a
 * hub or Docker, are escaped, so that they cannot act on a terminal.
 */
function quoted(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const text = value.length > MAX_FIELD_LENGTH ? `${value.slice(0, MAX_FIELD_LENGTH)}…` : value
  if (!/[\s"=\p{C}\p{Zl}\p{Zp}]/u.test(text)) return text
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}
