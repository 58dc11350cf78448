import { z } from 'zod'
import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isNetwork } from '../platform/network/networks.ts'
import { checked, invalid } from '../records/model/field-errors.ts'
import { isJsonObject } from '../platform/json.ts'
import type { FieldError } from '../records/model/record-error.ts'

const MAX_TEXTS = 1000

/** A list of texts, trimmed and without empty ones. The error names the first invalid text. */
export const textList = (isGood: (text: string) => boolean, problem: (text: string) => FieldError) =>
  checked<readonly string[]>((list) => {
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) return invalid('Must be a list of texts.')
    if (list.length > MAX_TEXTS) return { code: 'validation_length_too_long', message: `At most ${MAX_TEXTS}.` }
    const wrong = trimmed(list).find((one) => !isGood(one))
    return wrong === undefined ? undefined : problem(wrong)
  }).transform(trimmed)

const trimmed = (list: readonly string[]): readonly string[] => list.map((one) => one.trim()).filter((one) => one !== '')

export const networkList = textList(isNetwork, (network) => ({
  code: 'validation_invalid_subnet',
  message: `"${network}" is no address and no network such as 10.0.0.0/8.`,
}))

/** Parses stored settings. A field that is missing or invalid gets its default. */
export function readStored<Settings extends object>(form: z.ZodObject, defaults: Settings, stored: Json | undefined): Settings {
  const fields = Object.entries(defaults).map(([name, standard]) => {
    const value = isJsonObject(stored) ? ownValue(stored, name) : undefined
    const field = ownValue(form.shape, name)
    const parsed = value === undefined || field === undefined ? undefined : z.safeParse(field, value)
    return [name, parsed?.success === true ? parsed.data : standard]
  })
  return Object.fromEntries(fields) as Settings // the form has the same fields as the settings
}
