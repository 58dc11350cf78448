/** What somebody is told, before it has the form of a channel. All texts are plain: whoever writes them need not know where they go. */
export type ChannelMessage = {
  /** The same at each try: where a provider can tell repeats apart, it is told by this. ASCII letters, digits, `-` and `_`, at most 64. */
  readonly key: string
  /** One line. */
  readonly title: string
  readonly body: string
  /** Where it is explained, an absolute address of the hub. */
  readonly link?: string
  readonly severity: Severity
  /** What it is about; `''` when it is about no system. */
  readonly systemName: string
}

export type Severity = 'firing' | 'resolved' | 'info'

/** What a link to a message's page says. */
export const linkLabel = ({ systemName }: ChannelMessage): string => (systemName === '' ? 'View' : `View ${oneLine(systemName)}`)

/** For what has one line only: headers, headings, titles of cards. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** The body with the link below it, for channels without a place of its own. */
export const bodyWithLink = ({ body, link }: ChannelMessage): string => (link === undefined ? body : `${body}\n\n${link}`)

/** Everything in one text, for channels without titles. */
export const wholeText = (message: ChannelMessage): string => `${oneLine(message.title)}\n\n${bodyWithLink(message)}`

/** At most so many UTF-16 units, no character cut in two; what is missing shows as an ellipsis. */
export function cutTo(text: string, mostUnits: number): string {
  if (text.length <= mostUnits) return text
  const end = isHighSurrogate(text.charCodeAt(mostUnits - 2)) ? mostUnits - 2 : mostUnits - 1
  return `${text.slice(0, end)}…`
}

/** At most so many bytes of UTF-8, no character cut in two. */
export function cutToBytes(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  let end = mostBytes - Buffer.byteLength('…')
  while (end > 0 && isContinuation(bytes[end])) end -= 1
  return `${bytes.subarray(0, end).toString('utf8')}…`
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
