import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { badRequest } from '../../records/model/record-error.ts'

/** A text; a value of another type counts as none. */
export const textOrNone = z.string().optional().catch(undefined)
/** The same as an empty text. */
export const textOrEmpty = z.string().catch('').default('')

const WHOLE = 'Must be a whole number.'
/** A whole number in a query; an empty text is 0. */
export const wholeNumber = z.coerce.number(WHOLE).int(WHOLE)
/** Epoch milliseconds in a query. */
export const epochMs = wholeNumber.nonnegative('Must be no less than 0.')

/** The number of rows of a page. */
export const pageSize = ({ standard, most }: { readonly standard: number; readonly most: number }) =>
  wholeNumber.min(1).max(most).default(standard)

/** A part of a response whose fields the description leaves out. */
export const typedObject = <T = JsonObject>() => z.custom<T>().meta({ type: 'object' })

/** A time window of a query: `to` is now and `from` is `lengthMs` before it when they are not given. */
export const windowQuery = z.object({ from: epochMs.optional(), to: epochMs.optional() })

/** Throws 400 with the message for a window that is empty. */
export function windowOf({ from, to }: z.infer<typeof windowQuery>, { nowMs, lengthMs, invalid }: WindowDefaults): TimeWindow {
  const toMs = to ?? nowMs
  const fromMs = from ?? Math.max(0, toMs - lengthMs)
  if (fromMs >= toMs) throw badRequest(invalid, { from: { code: 'validation_invalid_value', message: 'Must be before "to".' } })
  return { fromMs, toMs }
}

type WindowDefaults = { readonly nowMs: number; readonly lengthMs: number; readonly invalid: string }
type TimeWindow = { readonly fromMs: number; readonly toMs: number }
