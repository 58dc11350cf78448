import { z } from 'zod'
import type { Body } from '../../records/writing/sent-values.ts'
import { readBody, readTexts } from '../requests/request-body.ts'
import type { RouteBody } from './define-route.ts'

/** Fields of a JSON or form body. Numbers and booleans are inferred from form values. */
export const fields = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readBody })

/** Fields of a JSON or form body. Form values stay text, such as a password of digits. */
export const texts = <Fields>(schema: z.ZodType<Fields>): RouteBody<Fields> => ({ schema, read: readTexts })

/** All fields as sent, for a handler that validates them itself. `names` are for the API description. */
export const sentFields = (...names: readonly string[]): z.ZodType<Body> =>
  z.custom<Body>().meta({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) })
