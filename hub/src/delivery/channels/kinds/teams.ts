import { AddressError, requiredPart, type Address } from '../address.ts'
import {
  acknowledgeLabel,
  type Channel,
  type ChannelAnswer,
  type ChannelKind,
  type AttemptOutcome,
  cutTo,
  linkLabel,
  oneLine,
  type ChannelMessage,
  jsonPost,
  cleanText,
  judgeByStatus,
  later,
  sendOnce,
} from '../channel.ts'

const FORM = 'teams://?host=WORKFLOW_URL or teams://GROUP@TENANT/ALT_ID/GROUP_OWNER/EXTRA_ID?host=ORGANISATION.webhook.office.com'
const LONGEST_TITLE = 300
/**
 * Maximum length of a Microsoft Teams message's body, in UTF-16 units (4,000); a longer body is cut. A card may have 28 kB, and one unit
 * may take 6 bytes.
 */
const LONGEST_BODY = 4000
const colors = { firing: 'attention', resolved: 'good', info: 'accent' } as const

/**
 * Kind of notification channel for Microsoft Teams: an adaptive card, sent to a workflow or an incoming webhook. Text runs do not interpret
 * Markdown (Adaptive Cards 1.2).
 */
export const teams: ChannelKind = {
  name: 'Microsoft Teams',
  schemes: ['teams'],
  read(address): Channel {
    const url = urlOf(address)
    return {
      secrets: [url.href, url.pathname + url.search, ...url.pathname.split('/'), ...url.searchParams.values()],
      send: (message) => sendOnce(jsonPost(url.href, messageOf(message)), judge),
    }
  },
}

function urlOf(address: Address): URL {
  const host = requiredPart(address.option('host'), '"host"', FORM)
  const written = address.host === '' ? host : incomingWebhook(address, host)
  const text = /^https?:\/\//i.test(written) ? written : `https://${written}`
  if (!URL.canParse(text)) throw new AddressError(`Cannot read the address: "host" is not an address, expected ${FORM}`)
  const url = new URL(text)
  if (address.host === '' && url.pathname.length < 2)
    throw new AddressError(`Cannot read the address: "host" is not an address of a workflow, expected ${FORM}`)
  // The URL contains a signature that works like a password.
  url.protocol = 'https:'
  return url
}

function incomingWebhook({ user, host: tenant, path }: Address, host: string): string {
  const [alternative, owner, extra] = path
  const group = requiredPart(user, 'the group', FORM)
  const parts = [
    requiredPart(alternative, 'the third part', FORM),
    requiredPart(owner, 'the group owner', FORM),
    requiredPart(extra, 'the last part', FORM),
  ]
  if (!/^[\w.-]+$/.test(host)) throw new AddressError('Cannot read the address: "host" is not the name of a host')
  const [third, ...others] = parts.map(encodeURIComponent)
  return `${host}/webhookb2/${encodeURIComponent(group)}@${encodeURIComponent(tenant)}/IncomingWebhook/${[third, ...others].join('/')}`
}

function actionsOf(link: string, message: ChannelMessage) {
  const { acknowledgeLink } = message
  const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url })
  return [open(linkLabel(message), link), ...(acknowledgeLink === undefined ? [] : [open(acknowledgeLabel(message), acknowledgeLink)])]
}

function messageOf(message: ChannelMessage) {
  const text = (inlines: readonly object[]) => ({ type: 'RichTextBlock', inlines })
  const title = cutTo(oneLine(message.title), LONGEST_TITLE)
  return {
    type: 'message',
    summary: title,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            text([{ type: 'TextRun', text: title, weight: 'bolder', size: 'medium', color: colors[message.severity] }]),
            text([{ type: 'TextRun', text: cutTo(message.body, LONGEST_BODY) }]),
          ],
          ...(message.link === undefined ? {} : { actions: actionsOf(message.link, message) }),
        },
      },
    ],
  }
}

/**
 * Judges the response of Microsoft Teams and returns the outcome: delivered, refused or later. A failed webhook responds with 200 and puts
 * the true status into the text.
 */
function judge(answer: ChannelAnswer): AttemptOutcome {
  const tried = judgeByStatus(answer, ({ error }, text) =>
    typeof error === 'object' && error !== null && 'message' in error ? error['message'] : text,
  )
  if (tried.outcome !== 'delivered' || 'failure' in answer || !/delivery failed/i.test(answer.text)) return tried
  const reason = `the server answered: ${cleanText(answer.text)}`
  return /\b(?:429|5\d\d)\b/.test(answer.text) ? later(reason) : { outcome: 'refused', reason }
}
