/**
 * Severity of a log entry: `debug`, `info`, `warn` or `error`. `info` is for actions of operators and events that they must know, `debug`
 * for frequent events.
 */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export type LogFields = { readonly [name: string]: unknown }

/**
 * Logger of one area of the hub: a function for each level, such as `log.warn(message, fields)`. The message is a constant text that can be
 * searched for; variable data goes into `fields`. Never log a secret.
 */
export type Log = { readonly [level in LogLevel]: (message: string, fields?: LogFields) => void }

const ignore = (): void => {}
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export type LogSink = (line: string) => void

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/**
 * Creates a function that returns the logger of an area of the hub, such as `db`. Each entry is one line of JSON with `time` (ISO 8601,
 * UTC), passed to `sink`. Entries below the level `least` are dropped.
 */
export function logTo(sink: LogSink, least: LogLevel): (area: string) => Log {
  return (area) => {
    const write =
      (level: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        if (severity[level] < severity[least]) return
        sink(JSON.stringify({ time: new Date().toISOString(), level, area, message, ...serializedFields(fields) }))
      }
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  }
}

export type LogOf = (area: string) => Log

/** Returns a copy of log fields in which each Error is replaced by the text of the error and its causes. */
export function serializedFields(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? causes(value) : value]))
}

/** Returns the text of an error and its causes, outermost first, at most 8: `TypeError: fetch failed < Error: connect ECONNREFUSED`. */
function causes(error: Error): string {
  const chain: string[] = []
  for (let one: unknown = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(`${one.name}: ${one.message}`)
  return chain.join(' < ')
}
