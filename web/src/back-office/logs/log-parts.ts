/** What narrows the log, as the page's controls and its address have it; `''` is not asked for. */
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

const oneOf = <T extends string>(known: Readonly<Record<T, string>>, value = ''): T | '' =>
  Object.hasOwn(known, value) ? (value as T) : '' // one of the names there are

/** The parts as an address says them; what it says wrongly is not asked for. */
export function partsIn(query: Readonly<Record<string, string>>): LogParts {
  const { status = '', user = '', address = '', text = '', filter = '' } = query
  return {
    level: oneOf(levels, query['level']),
    kind: oneOf(kinds, query['kind']),
    status: statusFilter(status) === '' ? '' : status,
    user,
    address,
    text,
    filter,
  }
}

/** How far back is looked. */
export const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export type Span = keyof typeof spans | 'all'

export type LogWindow = { readonly fromMs: number | undefined; readonly toMs: number | undefined }

/** Between which moments: those of the address, or so long until now. */
export function windowIn(query: Readonly<Record<string, string>>, nowMs: number): LogWindow & { readonly span: Span | undefined } {
  const [fromMs, toMs] = [query['from'], query['to']].map((text) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined))
  if (fromMs !== undefined || toMs !== undefined) return { fromMs, toMs, span: undefined }
  const span = (['1h', '24h', '7d'] as const).find((one) => one === query['span'])
  return span === undefined ? { fromMs: undefined, toMs: undefined, span: 'all' } : { fromMs: nowMs - spans[span], toMs: undefined, span }
}
