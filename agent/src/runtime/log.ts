import type { LogLevel, Runtime } from './runtime.ts'

export type LogFields = { readonly [name: string]: string | number | boolean | undefined }

/** The message is a constant that can be searched for; what varies goes into the fields. Never a secret. */
export type Log = { readonly [level in LogLevel]: (message: string, fields?: LogFields) => void } & {
  /** Says it only when it differs from what was last said under `topic`: a state that lasts is one line, not one a minute. */
  readonly change: (topic: string, level: LogLevel, message: string, fields?: LogFields) => void
  /** The topic is as it should be again, so its next trouble is news. */
  readonly settled: (topic: string) => void
}

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const MAX_TOPICS = 1000
const MAX_FIELD_LENGTH = 500

/** Lines of `message name=value …`; the runtime adds time and level. Below `least` nothing is written. */
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
    settled: (topic) => {
      lastSaid.delete(topic)
    },
  }
}

const line = (message: string, fields: LogFields): string =>
  [message, ...Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]))].join(' ')

/** A hub's or an engine's words may be part of a field. Nothing in them reaches a terminal as a command, or turns the direction of the text. */
function quoted(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const text = value.length > MAX_FIELD_LENGTH ? `${value.slice(0, MAX_FIELD_LENGTH)}…` : value
  if (!/[\s"=\p{C}\p{Zl}\p{Zp}]/u.test(text)) return text
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}
