import { z } from 'zod'
import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isNetwork } from '../platform/network/networks.ts'
import { refusedWith } from '../records/model/field-errors.ts'
import { isJsonObject } from '../records/model/json-value.ts'
import type { FieldError } from '../records/model/record-error.ts'

const MAX_TEXTS = 1000

/** A value of any type that `problem` checks. */
export const checked = <Value>(problem: (value: unknown) => FieldError | undefined) =>
  z.custom<Value>().superRefine((value, context) => refuse(context, problem(value)))

/** A text that `problem` checks. Anything else counts as `''`. */
export const text = (problem: (text: string) => FieldError | undefined = () => undefined) =>
  z
    .string()
    .catch('')
    .superRefine((value, context) => refuse(context, problem(value)))

function refuse(context: z.RefinementCtx, error: FieldError | undefined): void {
  if (error !== undefined) context.addIssue({ code: 'custom', ...refusedWith(error) })
}

export const invalid = (message: string): FieldError => ({ code: 'validation_invalid_value', message })
const notListed: FieldError = { code: 'validation_in_invalid', message: 'Must be a valid value.' }

export const flag = z.boolean('Must be true or false.')

export const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max

export const wholeNumber = (min: number, max: number) =>
  checked<number>((value) => (isWhole(value, min, max) ? undefined : invalid(`Must be a whole number from ${min} to ${max}.`)))

export const oneOf = <Value extends string>(values: readonly Value[]) =>
  checked<Value>((value) => (values.some((one) => one === value) ? undefined : notListed))

/** A list of texts without empty ones and spaces around them. The error names the first one that is not good. */
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

/** Settings as they are stored: a field that is missing or cannot be used has its default. */
export function readStored<Settings extends object>(form: z.ZodObject, defaults: Settings, stored: Json | undefined): Settings {
  const fields = Object.entries(defaults).map(([name, standard]) => {
    const value = isJsonObject(stored) ? ownValue(stored, name) : undefined
    const field = ownValue(form.shape, name)
    const parsed = value === undefined || field === undefined ? undefined : z.safeParse(field, value)
    return [name, parsed?.success === true ? parsed.data : standard]
  })
  return Object.fromEntries(fields) as Settings // the form's fields are those of the settings
}
