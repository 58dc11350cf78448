import type { Json } from '@vedette/protocol/wire/stats-json'
import type { FieldError } from '../records/model/record-error.ts'

/** The texts of a list, without spaces around them and without empty ones; of what is no list none. */
export const textsIn = (list: Json | undefined): readonly string[] =>
  Array.isArray(list) ? list.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : [])) : []

/** What is wrong with such a list: that it is none, or what is said of the first of its texts that does not do. */
export function wrongTexts(
  list: Json | undefined,
  isGood: (text: string) => boolean,
  wrong: (text: string) => FieldError,
): FieldError | undefined {
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return notList
  if (list.length > MOST_TEXTS) return { code: 'validation_length_too_long', message: `At most ${MOST_TEXTS}.` }
  const found = textsIn(list).find((text) => !isGood(text))
  return found === undefined ? undefined : wrong(found)
}

const MOST_TEXTS = 1000
const notList: FieldError = { code: 'validation_invalid_value', message: 'Must be a list of texts.' }
