/** A notification before a channel formats it. All texts are plain; each channel escapes them itself. */
export type ChannelMessage = {
  /** Idempotency key, the same for each attempt. ASCII letters, digits, `-` and `_`, at most 64. */
  readonly key: string
  /** One line. */
  readonly title: string
  readonly body: string
  /** Absolute URL of a page of the hub with details. */
  readonly link?: string
  readonly severity: Severity
  /** Name of the system; `''` if the message concerns no system. */
  readonly systemName: string
}

export type Severity = 'firing' | 'resolved' | 'info'

/** Label of the link. */
export const linkLabel = ({ systemName }: ChannelMessage): string => (systemName === '' ? 'View' : `View ${oneLine(systemName)}`)

/** Text on one line, for headers, headings and card titles. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** The body followed by the link, for channels without a separate link field. */
export const bodyWithLink = ({ body, link }: ChannelMessage): string => (link === undefined ? body : `${body}\n\n${link}`)

/** Title, body and link in one text, for channels without titles. */
export const wholeText = (message: ChannelMessage): string => `${oneLine(message.title)}\n\n${bodyWithLink(message)}`

/** Cuts a text to at most `mostUnits` UTF-16 units, with an ellipsis. No character is split. */
export function cutTo(text: string, mostUnits: number): string {
  if (text.length <= mostUnits) return text
  const end = isHighSurrogate(text.charCodeAt(mostUnits - 2)) ? mostUnits - 2 : mostUnits - 1
  return `${text.slice(0, end)}…`
}

/** Cuts a text to at most `mostBytes` bytes of UTF-8, with an ellipsis. No character is split. */
export function cutToBytes(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  let end = mostBytes - Buffer.byteLength('…')
  while (end > 0 && isContinuation(bytes[end])) end -= 1
  return `${bytes.subarray(0, end).toString('utf8')}…`
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
