/** `info`: actions of operators and events they must know. `debug`: events of every tick. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export type LogFields = { readonly [name: string]: unknown }

/** Log of one area. The message is a constant that can be searched for; variable data goes into the fields. Never log a secret. */
export type Log = { readonly [level in LogLevel]: (message: string, fields?: LogFields) => void }

const ignore = (): void => {}
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export type LogSink = (line: string) => void

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Writes one JSON object a line, with `time` in ISO 8601 (UTC). Entries below `least` are dropped. */
export function logTo(sink: LogSink, least: LogLevel): (area: string) => Log {
  return (area) => {
    const write =
      (level: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        if (severity[level] < severity[least]) return
        sink(JSON.stringify({ time: new Date().toISOString(), level, area, message, ...serialised(fields) }))
      }
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  }
}

export type LogOf = (area: string) => Log

/** Replaces errors in the fields by text, with their causes. */
export function serialised(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? causes(value) : value]))
}

/** The error and its chain of causes, outermost first, as text: `TypeError: fetch failed < Error: connect ECONNREFUSED`. */
function causes(error: Error): string {
  const chain: string[] = []
  for (let one: unknown = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(`${one.name}: ${one.message}`)
  return chain.join(' < ')
}
