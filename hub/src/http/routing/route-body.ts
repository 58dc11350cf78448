import { z } from 'zod'
import type { Body } from '../../records/writing/sent-values.ts'
import { readBody, readTexts } from '../requests/request-body.ts'
import type { RouteBody } from './define-route.ts'

/** Fields of JSON, or of a form whose values say their type by their look. */
export const fields = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readBody })

/** The same where every value of a form is a text, such as a password of digits. */
export const texts = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readTexts })

/** All fields as they were sent, for a feature that checks them itself. `names` are for the description. */
export const sentFields = (...names: readonly string[]): z.ZodType<Body> =>
  z.custom<Body>().meta({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) })
