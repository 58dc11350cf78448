import { LEVELS, type Message } from './messages-in-source.ts'

type Section = {
  readonly title: string
  readonly about: string
  /**
   * Property of a section of `docs/messages.md`: true when each of its messages must have a remedy. A remedy is a sentence that says what
   * to do, in the second column of the table.
   */
  readonly hasRemedies: boolean
  readonly isOf: (message: Message) => boolean
}

const isLog = ({ kind }: Message): boolean => LEVELS.has(kind)
const inFolder =
  (folder: string) =>
  ({ file }: Message): boolean =>
    file.startsWith(folder)
const ofKind =
  (...kinds: readonly string[]) =>
  ({ kind }: Message): boolean =>
    kinds.includes(kind)

/** Sections of `docs/messages.md` in their order. A message belongs to the first section whose `isOf` returns true. */
const sections: readonly Section[] = [
  {
    title: 'Log of the hub',
    about: 'Entries of levels `error` and `warn` need somebody. Fields of the entry name the system, the address or the reason.',
    hasRemedies: true,
    isOf: (message) => isLog(message) && message.file.startsWith('hub/') && ['error', 'warn'].includes(message.kind),
  },
  {
    title: 'Log of the agent',
    about: 'The agent logs a problem once, and again only after it was solved. `agent doctor` shows every reading.',
    hasRemedies: true,
    isOf: (message) => isLog(message) && message.file.startsWith('agent/') && ['error', 'warn'].includes(message.kind),
  },
  {
    title: 'Start of the hub, and commands',
    about: 'The program prints one sentence and ends with status 1. Nothing was changed.',
    hasRemedies: true,
    isOf: ofKind(
      'AddressUnusableError',
      'CertificateUnusableError',
      'BackupFolderUnusableError',
      'BackupRefusedError',
      'CommandRefusedError',
      'DatabaseUnusableError',
      'DataDirectoryUnusableError',
      'HealthUnproved',
      'HubKeyUnusable',
      'HubMessagesUnusableError',
      'HubRefusedError',
      'OlderHubError',
      'SecretsUnusableError',
      'SystemFileUnusableError',
      'TransferRefusedError',
      'UnusableError',
      'YamlError',
    ),
  },
  {
    title: 'Why a system is down',
    about: 'The reason on the page of a system, and in its notification.',
    hasRemedies: true,
    isOf: ofKind('AgentUnavailable'),
  },
  {
    title: 'Settings and options',
    about: 'The program prints the name of the setting and the problem, and ends with status 2. Correct the value and start it again.',
    hasRemedies: false,
    isOf: (message) =>
      message.kind === 'setting' ||
      (message.kind === 'RangeError' && /^hub\/src\/(?:startup|cli|platform\/network|platform\/cluster\/nats-address)/.test(message.file)),
  },
  {
    title: 'Responses of the API',
    about:
      'The field `message` of a response, or the problem of one field in `data`. Correct the request. After status 429 or 503, try again after `Retry-After`.',
    hasRemedies: false,
    isOf: ofKind('RecordError', 'HttpError', 'field', 'QuestionTooSlowError', 'SecondProofNeeded', 'InternalDestination'),
  },
  {
    title: 'Filters',
    about: 'A filter or a sort order that the hub cannot read. [api.md](api.md) describes the language.',
    hasRemedies: false,
    isOf: ofKind('FilterError'),
  },
  {
    title: 'Channels, email and sign-in providers',
    about: 'Why a message was not sent, or a sign-in did not finish. [channels.md](channels.md) has the form of each address.',
    hasRemedies: false,
    isOf: ofKind('AddressError', 'UnknownChannel', 'MailFailure', 'ProviderFailure', 'UnreachableError'),
  },
  {
    title: 'Readings of the agent',
    about: 'Why one part of a machine cannot be read, in the log and in `agent doctor`. The other parts are not affected.',
    hasRemedies: false,
    isOf: (message) => inFolder('agent/src/collect/')(message) || inFolder('agent/src/source/')(message),
  },
  {
    title: 'Dashboard',
    about: 'Messages of the pages, in English.',
    hasRemedies: false,
    isOf: ofKind('dashboard'),
  },
  {
    title: 'Events in the logs',
    about: 'Entries of levels `info` and `debug`. They need nobody.',
    hasRemedies: false,
    isOf: isLog,
  },
  {
    title: 'Errors inside the programs',
    about: 'They appear as the cause behind another message. Please report one that stands alone.',
    hasRemedies: false,
    isOf: () => true,
  },
]

const START = '<!-- messages: written by tools/describe-messages.ts; sentences of the second column are written by hand -->'

/**
 * Remedies in `docs/messages.md`, sentences that say what to do about a message. The key is section title, tab, message: `Log of the
 * hub\tjob failed`.
 */
export type Remedies = ReadonlyMap<string, string>

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim()
const code = (text: string): string => (text.includes('`') ? cell(text) : `\`${cell(text)}\``)

/**
 * Returns the Markdown of all sections of `docs/messages.md`, with a table of the messages in each. In a section with remedies (what to
 * do), a message without one has an empty cell.
 */
export function messageTables(messages: readonly Message[], remedies: Remedies): string {
  const taken = new Set<Message>()
  const tables = sections.map(({ title, about, hasRemedies, isOf }) => {
    const own = messages.filter((message) => !taken.has(message) && isOf(message))
    for (const message of own) taken.add(message)
    const texts = [...new Set(own.map(({ text }) => text))].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    const rows = texts.map((text) =>
      hasRemedies ? `| ${code(text)} | ${remedies.get(`${title}\t${cell(text)}`) ?? ''} |` : `| ${code(text)} |`,
    )
    const head = hasRemedies ? ['| Message | Meaning, and what to do |', '| --- | --- |'] : ['| Message |', '| --- |']
    return [`## ${title}`, '', about, '', ...head, ...rows].join('\n')
  })
  return tables.join('\n\n')
}

/**
 * Returns a new text of `docs/messages.md` with the tables of `messages`. Remedies (sentences that say what to do), which people write, are
 * taken from the present text `document`.
 */
export function messagesDocument(document: string, messages: readonly Message[]): string {
  return `${document.slice(0, document.indexOf(START) + START.length)}\n\n${messageTables(messages, remediesIn(document))}\n`
}

/**
 * Parses the remedies (sentences that say what to do) in the second column of the tables of `docs/messages.md`, and returns them as a map.
 * Its keys are section title, tab and message. An empty cell gives an empty text.
 */
export function remediesIn(document: string): Remedies {
  const remedies = new Map<string, string>()
  let title = ''
  for (const line of document.split('\n')) {
    if (line.startsWith('## ')) title = line.slice(3)
    const cells = line.startsWith('|') ? line.split(/(?<!\\)\|/).slice(1, -1) : []
    const [message = '', remedy = ''] = cells.map((one) => one.trim())
    if (cells.length === 2) remedies.set(`${title}\t${message.replaceAll(/^`|`$/g, '')}`, remedy)
  }
  return remedies
}

/** Returns the list of messages of `docs/messages.md` whose remedy (sentence that says what to do) is empty, as `section: message`. */
export const withoutRemedy = (document: string): readonly string[] =>
  [...remediesIn(document)].flatMap(([key, remedy]) => (remedy === '' ? [key.replace('\t', ': ')] : []))
