import { defaultMessages } from '../../platform/http/http-error.ts'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Context } from 'hono'
import { z } from 'zod'
import { readTexts } from '../../http/requests/request-body.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { RouteBody } from '../../http/routing/define-route.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { blank, isEmail } from '../../records/model/field-check.ts'
import { badRequest, RecordError, type FieldError } from '../../records/model/record-error.ts'
import { asText } from '../../records/model/stored-record.ts'
import type { Body } from '../../records/writing/sent-values.ts'

/** General error message of a 400 response to a sign-in or account request; the response's body also has an error for each wrong field. */
export const INVALID = 'An error occurred while validating the submitted data.'

/**
 * Returns the declaration of a sign-in route's request body. A body that is not JSON, or does not fit `shape`, gives one general 400 error.
 * Otherwise `schema` checks the fields and gives errors by field.
 */
export const credentials = <Fields>(schema: z.ZodType<Fields>, shape: z.ZodType = z.unknown()): RouteBody<Fields> => ({
  schema,
  async read(c) {
    const body = await readReadable(c)
    if (!shape.safeParse(body).success) throw unreadable()
    return body
  },
})

const unreadable = (): RecordError => badRequest('An error occurred while loading the submitted data.')

async function readReadable(c: Context<RequestContext>): Promise<Body> {
  try {
    return await readTexts(c)
  } catch (error) {
    throw error instanceof RecordError && error.message === defaultMessages[400] ? unreadable() : error
  }
}

/** Schema that accepts any JSON value and converts it to text. Missing values become an empty string. */
export const castText = z.custom<Json>().default('').transform(asText).meta({ type: 'string' })

/** Schema of a required email address in a request body. A value that is not text, and a malformed address, give a field error. */
export const email = z
  .string()
  .catch('')
  .default('')
  .superRefine((sent, context) => {
    const error = wrongEmail(sent)
    if (error !== undefined) context.addIssue({ code: 'custom', ...refusedWith(error) })
  })

const wrongEmail = (sent: string): FieldError | undefined =>
  sent === '' ? blank : isEmail(sent) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' }
