import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { badRequest } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { readBody, readTexts } from '../requests/request-body.ts'
import type { RouteBody } from './define-route.ts'

/** Schema of an optional text in a request. Text stays; a missing value or one of another type becomes `undefined` without an error. */
export const textOrNone = z.string().optional().catch(undefined)
/** Schema of a text in a request. Text stays; a missing value or one of another type becomes `''` without an error. */
export const textOrEmpty = z.string().catch('').default('')

const WHOLE = 'Must be a whole number.'
/**
 * Schema of a whole number in a query parameter, which is a text: `'42'` becomes 42, and an empty text 0. A text that is no whole number is
 * an error.
 */
export const wholeNumber = z.coerce.number(WHOLE).int(WHOLE)
/** Schema of a time in a query parameter, as whole number of epoch ms, 0 or later. */
export const epochMs = wholeNumber.nonnegative('Must be no less than 0.')

/**
 * Returns the schema of a query parameter with the number of rows of a page: a whole number from 1 to `most`, both inclusive. If the
 * parameter is missing, it gives `standard`.
 */
export const pageSize = ({ standard, most }: { readonly standard: number; readonly most: number }) =>
  wholeNumber.min(1).max(most).default(standard)

/** Schema of an error text in a response: the reason of a failure, or `false` after a success. */
export const errorText = z.union([z.string(), z.literal(false)])

/**
 * Returns the schema of a JSON object in a response whose fields the API description does not list. It checks nothing; `T` is the
 * TypeScript type that the object gets.
 */
export const typedObject = <T = JsonObject>() => z.custom<T>().meta({ type: 'object' })

/**
 * Returns the schema of a list response with one page of items, in PocketBase's format. `totalItems` and `totalPages` are -1 with
 * `skipTotal`.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    page: z.number(),
    perPage: z.number(),
    totalItems: z.number(),
    totalPages: z.number(),
    items: z.array(item),
  })

/** Schema of a record of any collection in a response, with the fields that the query parameter `fields` selects. */
export const anyRecord = typedObject<Json>()

/** Schema of a time range in a query: optional `from` and `to` in epoch ms. {@link windowOf} fills in the defaults. */
export const windowQuery = z.object({ from: epochMs.optional(), to: epochMs.optional() })

/**
 * Returns the time range, in epoch ms, that `from` and `to` of a request's query select. By default it ends now and is `lengthMs` long.
 * Throws 400 with the message `invalid` if `from` is not before `to`.
 */
export function windowOf({ from, to }: z.infer<typeof windowQuery>, { nowMs, lengthMs, invalid }: WindowDefaults): TimeWindow {
  const toMs = to ?? nowMs
  const fromMs = from ?? Math.max(0, toMs - lengthMs)
  if (fromMs >= toMs) throw badRequest(invalid, { from: { code: 'validation_invalid_value', message: 'Must be before "to".' } })
  return { fromMs, toMs }
}

type WindowDefaults = { readonly nowMs: number; readonly lengthMs: number; readonly invalid: string }
type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/**
 * Returns the declaration of a route's request body, JSON or form, from the schema of its fields. Form values that look like numbers or
 * booleans become such values before the schema checks them.
 */
export const fields = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readBody })

/**
 * Returns the declaration of a route's request body, JSON or form, by the schema of its fields. Form values stay texts, so that a password
 * of digits does not become a number.
 */
export const texts = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readTexts })

/**
 * Name of the type of a request body's field in the API description: `string`, `number`, `boolean`, `object`, or `texts` for a list of
 * texts.
 */
export type SentType = 'string' | 'number' | 'boolean' | 'object' | 'texts'

/**
 * Returns a schema that accepts any fields of a request body, for a handler that checks them itself. `types` maps field names to their
 * types, only for the API description.
 */
export const sentFields = (types: Readonly<Record<string, SentType>> = {}): z.ZodType<Body> =>
  z.custom<Body>().meta({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(types).map(([name, type]) => [name, type === 'texts' ? { type: 'array', items: { type: 'string' } } : { type }]),
    ),
  })
