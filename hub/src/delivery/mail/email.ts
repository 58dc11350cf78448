import { ownValue } from '@vedette/protocol/own-value'
import { parseAccept } from 'hono/utils/accept'

/**
 * Texts of one email in the recipient's language: subject, greeting, paragraphs, link or code. {@link renderEmail} makes its plain text and
 * HTML from them.
 */
export type EmailContent = {
  readonly subject: string
  readonly greeting: string
  /** First paragraph of the email, such as the reason for it, before the link or the code. */
  readonly lead: string
  /** Label and URL of the email's main link, which is shown as a button, such as "Reset password". Absent: the email has no button. */
  readonly action?: { readonly label: string; readonly url: string }
  /**
   * Label and URL of a further link of the email, beside the button. It is shown as a line of its own below the facts. Absent: no such
   * line.
   */
  readonly secondAction?: { readonly label: string; readonly url: string }
  /** One-time code for signing in that the email shows. Absent: no code. */
  readonly code?: string
  /**
   * Lines about the request that caused the email, such as address and browser of a sign-in, so that the recipient can recognise it.
   * Absent: none.
   */
  readonly facts?: readonly string[]
  /** Paragraphs at the end of the email: how long the link or code is valid, and what to do if the recipient did not request it. */
  readonly notes: readonly string[]
  /** Name of the hub, from the settings, as the last line of the email. */
  readonly signature: string
}

/** Renders an email to the address `to` as plain text and as HTML. The HTML has no images and no external resources. */
export function renderEmail(to: string, content: EmailContent): Message {
  return { to, subject: oneLine(content.subject), text: asText(content), html: asHtml(content) }
}

/**
 * Replaces line breaks and other whitespace of a text by single spaces, for an email header. A line break in a name would otherwise add a
 * header.
 */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

function asText({ greeting, lead, action, secondAction, code, facts = [], notes, signature }: EmailContent): string {
  const parts = [greeting, lead, ...(action === undefined ? [] : [action.url]), ...(code === undefined ? [] : [`    ${code}`])]
  const second = secondAction === undefined ? [] : [`${secondAction.label}: ${secondAction.url}`]
  return [...parts, ...(facts.length === 0 ? [] : [facts.join('\n')]), ...second, ...notes, `-- \n${signature}`].join('\n\n').concat('\n')
}

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'

function asHtml({ subject, greeting, lead, action, secondAction, code, facts = [], notes, signature }: EmailContent): string {
  const paragraph = (text: string, style = '') => `<p style="margin:0 0 16px;${style}">${escaped(text)}</p>`
  const button =
    action === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${escaped(action.url)}</p>`
  const digits =
    code === undefined
      ? ''
      : `<p style="margin:24px 0;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;letter-spacing:6px;font-weight:600">${escaped(code)}</p>`
  const lines = facts.length === 0 ? '' : `<p style="margin:0 0 16px">${facts.map(escaped).join('<br>')}</p>`
  const second =
    secondAction === undefined
      ? ''
      : `<p style="margin:0 0 16px"><a href="${escaped(secondAction.url)}">${escaped(secondAction.label)}</a></p>`
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;${FONT};font-size:15px;line-height:1.5"><div style="max-width:520px;margin:0 auto">
${paragraph(greeting)}
${paragraph(lead)}
${button}${digits}${lines}${second}
${notes.map((note) => paragraph(note, 'font-size:13px')).join('\n')}
<p style="margin:24px 0 0;font-size:13px">${escaped(signature)}</p>
</div></body></html>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ownValue(entities, character) ?? character)

/** List of the codes of the languages in which the hub writes emails: `en`, `de`. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Rendered email to the address `to`: subject, and the same content as plain text and as HTML. */
export type Message = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/**
 * Returns the email language that an `Accept-Language` header (RFC 9110, 12.5.4) prefers among `en` and `de`. `undefined` if none matches.
 */
export function preferredLanguage(header: string): Language | undefined {
  const accepted = parseAccept(header)
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q)
  const tags = accepted.map(({ type }) => type.toLowerCase().split('-', 1)[0])
  return tags.flatMap((tag) => languages.filter((language) => language === tag))[0]
}
