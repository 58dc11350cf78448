import { numberField, textField, wordField } from '../../navigation/search.ts'

/** Filters of the log, in the page's controls and its address. `''`: no filter. */
export type LogParts = {
  /** `warn`: also what is worse. */
  readonly level: '' | 'warn' | 'error'
  /** Requests, or what the hub says of itself. */
  readonly kind: '' | 'request' | 'hub'
  /** `404`, or `4xx` for all of its kind. */
  readonly status: string
  /** An id. */
  readonly user: string
  readonly address: string
  readonly text: string
  /** In the filter language; everything else comes on top. */
  readonly filter: string
}

const levels: Readonly<Record<LogParts['level'], string>> = { '': '', warn: 'level >= 4', error: 'level = 8' }
const kinds: Readonly<Record<LogParts['kind'], string>> = { '': '', request: 'data.status > 0', hub: 'data.status = null' }

/** One filter that says all of it. What is typed as a text is found in the message and in everything else that is known. */
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

/** A text of the filter language. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** How far back is looked. */
export const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Span = keyof typeof spans | 'all'

export type LogWindow = { readonly fromMs: number | undefined; readonly toMs: number | undefined }

/** The filters in the address of the page; an invalid one filters nothing. */
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

/** Between which moments: those of the address, or so long until now. */
export function windowIn(values: Pick<LogValues, 'from' | 'to' | 'span'>, nowMs: number): LogWindow & { readonly span: Span | undefined } {
  const { from, to, span } = values
  if (from !== undefined || to !== undefined) return { fromMs: from, toMs: to, span: undefined }
  return { fromMs: span === 'all' ? undefined : nowMs - spans[span], toMs: undefined, span }
}
