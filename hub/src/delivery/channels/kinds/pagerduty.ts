import { AddressError, requiredPart, webScheme, type Address } from '../address.ts'
import {
  type AttemptOutcome,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type ChannelMessage,
  type ChannelRequest,
  type MessageIncident,
  cutTo,
  jsonPost,
  judgeByStatus,
  acknowledgeLabel,
  linkLabel,
  nothingReached,
  oneLine,
} from '../channel.ts'

const FORM = 'pagerduty://[HOST]/INTEGRATION_KEY'
const STANDARD_HOST = 'events.pagerduty.com'
const LONGEST_SUMMARY = 1024
const LONGEST_FIELD = 255
/**
 * Maximum length of the details in a PagerDuty event, in UTF-16 units (8,000); longer details are cut. PagerDuty accepts events of 512 KB.
 */
const LONGEST_DETAILS = 8000
/**
 * Maximum number of PagerDuty events, 100, that one delivery attempt sends for one message. If the message reports more alerts, later
 * attempts send the rest.
 */
const EVENTS_AT_ONCE = 100
const severities = ['critical', 'error', 'warning', 'info'] as const

type PagerDutySeverity = (typeof severities)[number]

/**
 * Kind of notification channel for the Events API v2 of PagerDuty. Each alert is an event with a `dedup_key` of its own. Its end thus
 * resolves what its start triggered, also if one message reports several alerts.
 */
export const pagerDuty: ChannelKind = {
  name: 'PagerDuty',
  schemes: ['pagerduty'],
  read(address): Channel {
    const key = requiredPart(address.path[0], 'the integration key', FORM)
    if (!/^[\w-]{1,64}$/.test(key)) throw new AddressError(`Cannot read the address: the integration key is not valid, expected ${FORM}`)
    const url = `${webScheme(address)}://${address.host === '' ? STANDARD_HOST : address.host}/v2/enqueue`
    const looks = { severity: severityOf(address), source: address.option('source') }
    return {
      secrets: [key],
      *send(message, { reached }) {
        const open = eventsOf(message).filter(([name]) => !reached.includes(name))
        const sent = [...reached]
        let refused: AttemptOutcome | undefined
        for (const [name, event] of open.slice(0, EVENTS_AT_ONCE)) {
          const tried = judge(yield requestOf(url, key, { event, message, looks }))
          if (tried.outcome === 'later') return nothingReached(tried, sent)
          if (tried.outcome === 'refused') refused ??= tried
          sent.push(name)
        }
        if (open.length > EVENTS_AT_ONCE)
          return nothingReached({ outcome: 'later', reason: 'more alerts are left to send', isUnfinished: true }, sent)
        return nothingReached(refused ?? { outcome: 'delivered' }, sent)
      },
    }
  },
}

function severityOf(address: Address): PagerDutySeverity | undefined {
  const text = address.option('severity')
  if (text === undefined) return undefined
  const severity = severities.find((one) => one === text.toLowerCase())
  if (severity === undefined) throw new AddressError('Cannot read the address: "severity" is not critical, error, warning or info')
  return severity
}

/**
 * Returns the PagerDuty events of a message as pairs of an alert's id and the alert's last state in the message, such as firing. A message
 * about no alert gives one event with the message's key.
 */
function eventsOf(message: ChannelMessage): readonly (readonly [name: string, event: MessageIncident])[] {
  const { incidents = [] } = message
  if (incidents.length === 0) return [[message.key, { ...message, id: message.key }]]
  // The last entry of an alert wins: an end after a start in the same message leaves nothing to trigger.
  return [...new Map(incidents.map((incident) => [incident.id, incident]))]
}

type EventParts = {
  readonly event: MessageIncident
  readonly message: ChannelMessage
  readonly looks: { readonly severity: PagerDutySeverity | undefined; readonly source: string | undefined }
}

function requestOf(url: string, key: string, { event, message, looks }: EventParts): ChannelRequest {
  const { link, acknowledgeLink, language = 'en' } = message
  const links = [
    ...(link === undefined ? [] : [{ href: link, text: linkLabel({ ...event, language }) }]),
    ...(acknowledgeLink === undefined ? [] : [{ href: acknowledgeLink, text: acknowledgeLabel(message) }]),
  ]
  const head = { routing_key: key, dedup_key: cutTo(event.id, LONGEST_FIELD) }
  if (event.severity === 'resolved') return jsonPost(url, { ...head, event_action: 'resolve' })
  return jsonPost(url, {
    ...head,
    event_action: 'trigger',
    client: 'Vedette',
    ...(link === undefined ? {} : { client_url: link }),
    ...(links.length === 0 ? {} : { links }),
    payload: {
      summary: cutTo(oneLine(event.title), LONGEST_SUMMARY),
      source: cutTo(looks.source ?? (oneLine(event.systemName) || 'Vedette'), LONGEST_FIELD),
      severity: event.severity === 'info' ? 'info' : (looks.severity ?? event.level ?? 'critical'),
      custom_details: { text: cutTo(event.body, LONGEST_DETAILS) },
    },
  })
}

const judge = (answer: ChannelAnswer): AttemptOutcome =>
  judgeByStatus(answer, ({ message, errors }) => {
    const all = [message, ...(Array.isArray(errors) ? errors : [])].filter((one) => typeof one === 'string')
    return all.length === 0 ? undefined : all.join(': ')
  })
