import { HttpError } from '../../platform/http/http-error.ts'
import { nullRecord } from '@vedette/protocol/null-record'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Context } from 'hono'
import { holdsNul, isJsonObject, parseSentJson } from '../../platform/json.ts'
import { badRequest } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Content types of XML (`application/xml`, `text/xml`). A request body of these types is accepted, but its fields are ignored, because the
 * hub has no XML parser.
 */
const FIELDLESS = ['application/xml', 'text/xml']
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded']

/**
 * Reads the fields of a request body like {@link readBody}. But values of a form stay text even if they look like numbers, such as a
 * password of digits.
 */
export async function readTexts(c: Context<RequestContext>): Promise<Body> {
  const body = await readBody(c)
  if ((c.req.header('content-type') ?? '').toLowerCase().startsWith('application/json')) return body
  // This reverses the inference exactly, because only the shortest form of a number or boolean is inferred.
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
}

/**
 * Reads the fields of a JSON or form body. An empty body has no fields, whatever its type, and XML has none. Throws 400 for any other body,
 * and for a field with U+0000.
 */
export async function readBody(c: Context<RequestContext>): Promise<Body> {
  const body = await readFields(c)
  const unfit = Object.entries(body).flatMap(([name, value]) => (holdsNul(name) || holdsNul(value) ? [name] : []))
  if (unfit.length > 0) throw badRequest(undefined, Object.fromEntries(unfit.map((name) => [name, nul])))
  return body
}

const nul = { code: 'validation_invalid_format', message: 'Must not contain the character U+0000.' } as const

async function readFields(c: Context<RequestContext>): Promise<Body> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (FORMS.includes(type) && c.req.header('content-length') !== '0') return formFields(await readForm(c))
  const text = await c.req.text()
  if (text === '') return {}
  if (type === 'application/json') return asFields(parsed(text))
  if (FIELDLESS.includes(type)) return {}
  throw badRequest('Unsupported Content-Type.')
}

function parsed(text: string): Json {
  try {
    return parseSentJson(text)
  } catch {
    // The parser's message does not help a client.
    throw badRequest()
  }
}

function asFields(value: Json): Body {
  if (value === null) return {}
  if (!isJsonObject(value)) throw badRequest()
  return value
}

async function readForm(c: Context<RequestContext>): Promise<FormData> {
  try {
    return await c.req.formData()
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw badRequest()
  }
}

/**
 * Returns the fields of a form body by name. Texts that look like numbers or booleans are converted to them. JSON in the form field
 * `@jsonPayload` adds fields.
 */
function formFields(form: FormData): Body {
  const fields = nullRecord<Json>()
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).filter((value) => typeof value === 'string')
    if (name === '@jsonPayload') for (const value of values) Object.assign(fields, asFields(parsed(value)))
    else if (values.length > 0) fields[name] = values.length === 1 ? inferred(values[0] ?? '') : values.map(inferred)
  }
  return fields
}

function inferred(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}
