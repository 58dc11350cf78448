import { parseAccept } from 'hono/utils/accept'

/** The languages of emails. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** An email, with the same content as text and as HTML. */
export type Message = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/** The preferred language of an `Accept-Language` header (RFC 9110, 12.5.4) among those of emails; undefined for none. */
export function spokenLanguage(header: string): Language | undefined {
  const accepted = parseAccept(header)
    .filter(({ q }) => q > 0)
    .toSorted((one, other) => other.q - one.q)
  const tags = accepted.map(({ type }) => type.toLowerCase().split('-', 1)[0])
  return tags.flatMap((tag) => languages.filter((language) => language === tag))[0]
}
