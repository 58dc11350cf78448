/** Languages that letters are written in. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** A letter that is ready to go: the same in text and in HTML. */
export type Message = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/** The first of the languages in an `Accept-Language` header (RFC 9110 12.5.4) that letters are written in; undefined for none. */
export function spokenLanguage(header: string): Language | undefined {
  const wanted = header.split(',', 20).map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return { tag: tag.toLowerCase().split('-', 1)[0], weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const spoken = wanted.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight)
  return spoken.flatMap(({ tag }) => languages.filter((language) => language === tag))[0]
}
