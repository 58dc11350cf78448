import { numberField, textField, wordField } from '../../navigation/search.ts'

/** Filters of the log page, each as the text in its form control and in the URL. An empty string means no filter. */
export type LogParts = {
  /** Minimum level of the log entries to show: `warn` (warnings and errors) or `error`; an empty string for all levels. */
  readonly level: '' | 'warn' | 'error'
  /**
   * Kind of log entries to show on the log page: `request` (HTTP requests) or `hub` (messages of the hub itself); an empty string for both.
   */
  readonly kind: '' | 'request' | 'hub'
  /** HTTP status of the log entries to show, `404`, or a class such as `4xx`; an empty string for all. */
  readonly status: string
  /** Id of the user whose requests the log page shows; an empty string for all users. */
  readonly user: string
  readonly address: string
  readonly text: string
  /** Filter expression, in the hub's filter language, that the admin typed. The other filters are combined with it by "and". */
  readonly filter: string
}

const levels: Readonly<Record<LogParts['level'], string>> = { '': '', warn: 'level >= 4', error: 'level = 8' }
const kinds: Readonly<Record<LogParts['kind'], string>> = { '': '', request: 'data.status > 0', hub: 'data.status = null' }

/**
 * Returns one expression in the hub's filter language that combines all filters of the log page. Free text is searched in the message and
 * the data.
 */
export function filterOfParts({ level, kind, status, user, address, text, filter }: LogParts): string {
  const parts = [
    levels[level],
    kinds[kind],
    statusFilter(status),
    user === '' ? '' : `data.authId = ${quoted(user)}`,
    address === '' ? '' : `data.userIP = ${quoted(address)}`,
    text === '' ? '' : `(message ~ ${quoted(text)} || data ~ ${quoted(text)})`,
  ].filter((part) => part !== '')
  if (filter.trim() === '') return parts.join(' && ')
  return parts.length === 0 ? filter : `(${filter}) && ${parts.join(' && ')}`
}

function statusFilter(status: string): string {
  if (/^[1-5]xx$/.test(status)) return `data.status >= ${status[0]}00 && data.status <= ${status[0]}99`
  return /^\d{3}$/.test(status) ? `data.status = ${status}` : ''
}

/** Returns a text as a quoted string literal of the hub's filter language, with `"` and `\` escaped. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Object from the id of a preset time range of the log page (`1h`, `24h`, `7d`) to its length in ms. */
export const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Span = keyof typeof spans | 'all'

export type LogWindow = { readonly fromMs: number | undefined; readonly toMs: number | undefined }

/**
 * URL search parameters of the log page: an object from name to codec (functions that read and write the parameter's text). Invalid values
 * count as missing.
 */
export const logFields = {
  level: wordField(['warn', 'error'], ''),
  kind: wordField(['request', 'hub'], ''),
  status: { ...textField(), read: (text: string) => (statusFilter(text) === '' ? undefined : text) },
  user: textField(100),
  address: textField(200),
  text: textField(500),
  filter: textField(4_000),
  span: wordField(['1h', '24h', '7d'], 'all'),
  from: numberField(undefined),
  to: numberField(undefined),
  logId: textField(100),
}

export type LogValues = LogParts & {
  readonly span: Span
  readonly from: number | undefined
  readonly to: number | undefined
  readonly logId: string
}

/**
 * Returns the time range of the log page in epoch ms: start and end in the URL, else its preset (such as `24h`) back from `nowMs`. An
 * `undefined` start or end is unlimited, as both are for the preset `all`. `span` is the preset, `undefined` with times in the URL.
 */
export function windowIn(values: Pick<LogValues, 'from' | 'to' | 'span'>, nowMs: number): LogWindow & { readonly span: Span | undefined } {
  const { from, to, span } = values
  if (from !== undefined || to !== undefined) return { fromMs: from, toMs: to, span: undefined }
  return { fromMs: span === 'all' ? undefined : nowMs - spans[span], toMs: undefined, span }
}
