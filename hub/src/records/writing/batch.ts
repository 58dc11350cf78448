import { HttpError } from '../../platform/http/http-error.ts'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import { blank } from '../model/field-check.ts'
import { nestedFieldErrorsOf, text } from '../model/field-errors.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { isJsonObject } from '../../platform/json.ts'
import { presentForRequest } from '../reading/query.ts'
import { badRequest, notFound, type FieldErrors, type RecordError } from '../model/record-error.ts'
import type { Body } from './sent-values.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { lock, prepareCreate, prepareDelete, prepareUpdate, type PreparedWrite } from './write.ts'

const MOST_REQUESTS = 50
/**
 * Maximum duration of all writes of a batch request together, in seconds: 3. If a write would start later, the batch is rejected with 400
 * and nothing is written. Waiting for the collections' locks and hashing passwords come before and do not count.
 */
export const BATCH_SECONDS = 3

/** One request in a batch request, which creates, updates or deletes a record: HTTP method, URL and body. */
export type BatchRequest = {
  readonly method: string
  /** URL of one request in a batch: path and query of the records API, such as `/api/collections/systems/records`. */
  readonly url: string
  readonly body: Body
}

export type BatchAnswer = { readonly status: number; readonly body: Json }

const needed = text((value) => (value === '' ? blank : undefined))
const json = z.custom<Body>((value) => isJsonObject(value as Json)) // the body is parsed JSON
const batchForm = z.array(z.object({ method: needed, url: needed, body: json.catch({}) }))

/**
 * Parses the list of requests in the body of a batch request. Throws 400 with the errors of each wrong request, by its index, or if the
 * list is absent, empty or too long.
 */
export function parseBatch(requests: Json | undefined): readonly BatchRequest[] {
  const invalid = (errors: FieldErrors[string]): RecordError => badRequest('Invalid batch request data.', { requests: errors })
  if (requests === undefined || requests === null) throw invalid(blank)
  if (!Array.isArray(requests) || !requests.every(isJsonObject)) throw badRequest('Failed to read the submitted batch data.')
  if (requests.length === 0) throw invalid(blank)
  if (requests.length > MOST_REQUESTS) {
    const message = `The length must be no more than ${MOST_REQUESTS}.`
    throw invalid({ code: 'validation_length_too_long', message, params: { max: MOST_REQUESTS, min: 0 } })
  }
  const parsed = batchForm.safeParse(requests)
  if (!parsed.success) throw invalid(nestedFieldErrorsOf(parsed.error))
  return parsed.data
}

/**
 * Runs all writes of a batch request in order in one transaction, each with the same checks as a single request. Resolves to their
 * responses. If one fails, nothing is written: rejects with 400 and the index and response of the first failure.
 */
export async function runBatch(engine: Engine, facts: RequestFacts, requests: readonly BatchRequest[]): Promise<readonly BatchAnswer[]> {
  // A rejected promise is thrown at its request's turn, so that the first failure in order is reported.
  const writes = await Promise.allSettled(requests.map((request) => parseWrite(engine, facts, request)))
  const written = await engine.database.write(async (unit) => {
    const done: { readonly write: Write; readonly record: StoredRecord | undefined }[] = []
    for (const settled of writes) if (settled.status === 'fulfilled') await lock(unit, settled.value.target.collection)
    const untilMs = engine.clock.now() + BATCH_SECONDS * 1000
    for (const [at, settled] of writes.entries()) {
      await withRequestIndex(at, async () => {
        if (settled.status === 'rejected') throw settled.reason
        if (engine.clock.now() > untilMs) throw badRequest(`The batch took longer than ${BATCH_SECONDS} s.`)
        done.push({ write: settled.value, record: await settled.value.run(unit) })
      })
    }
    return done
  })
  return Promise.all(
    written.map(async ({ write, record }) =>
      record === undefined
        ? { status: 204, body: null }
        : { status: 200, body: await presentForRequest(engine, write.target, record, write.query) },
    ),
  )
}

type Write = {
  readonly target: { readonly collection: Collection; readonly facts: RequestFacts }
  readonly query: { readonly [name: string]: string }
  readonly run: PreparedWrite<StoredRecord | undefined>
}

type WriteKind = 'create' | 'update' | 'upsert' | 'delete'
const writeKinds: ReadonlyMap<string, WriteKind> = new Map([
  ['POST', 'create'],
  ['PUT', 'upsert'],
])
const writeKindsOfRecord: ReadonlyMap<string, WriteKind> = new Map([
  ['PATCH', 'update'],
  ['DELETE', 'delete'],
])

const RECORDS = /^\/api\/collections\/([^/]+)\/records(?:\/([^/]+))?$/

async function parseWrite(engine: Engine, outer: RequestFacts, { method, url, body }: BatchRequest): Promise<Write> {
  const { name, id, kind, query } = parseAddress(method, url)
  const collection = engine.collections.find(name)
  if (collection === undefined) throw notFound('Missing or invalid collection context.')
  const target = { collection, facts: { ...outer, context: 'batch', method: kind === 'upsert' ? 'POST' : method, query, body } as const }
  const run = await prepared(engine, target, kind, id)
  return { target, query, run }
}

/**
 * Parses method and URL of one request in a batch. Returns collection, record id, kind of write and query parameters. Throws 400 unless it
 * is a write to records of this hub.
 */
function parseAddress(method: string, url: string) {
  const address = url.startsWith('/') && URL.canParse(url, 'http://hub') ? new URL(url, 'http://hub') : undefined
  const [, name, id] = RECORDS.exec(address?.pathname ?? '') ?? []
  const kind = (id === undefined ? writeKinds : writeKindsOfRecord).get(method)
  if (address === undefined || address.host !== 'hub' || name === undefined || kind === undefined) throw badRequest()
  return { name: decoded(name), id: decoded(id ?? ''), kind, query: Object.fromEntries(address.searchParams) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A % without two hex digits makes the URL invalid.
    throw badRequest()
  }
}

async function prepared(
  engine: Engine,
  { collection, facts }: Write['target'],
  kind: WriteKind,
  id: string,
): Promise<PreparedWrite<StoredRecord | undefined>> {
  if (kind === 'create') return prepareCreate(engine, collection, facts)
  if (kind === 'update') return prepareUpdate(engine, collection, facts, id)
  if (kind === 'delete') {
    const remove = prepareDelete(engine, collection, facts, id)
    return async (unit) => {
      await remove(unit)
      return undefined
    }
  }
  const given = facts.body?.['id']
  if (typeof given !== 'string' || given === '' || collection.storage !== 'table') return prepareCreate(engine, collection, facts)
  // Only the transaction knows whether the record exists. The password is hashed before, once for both cases.
  const hashed = { ...engine, hashPassword: cachedByText(engine.hashPassword) }
  const [create, update] = await Promise.allSettled([
    prepareCreate(hashed, collection, facts),
    prepareUpdate(hashed, collection, { ...facts, method: 'PATCH' }, given),
  ])
  return async (unit) => {
    const exists = (await engine.store.load(collection.name, given, unit)) !== undefined
    const write = exists ? update : create
    if (write.status === 'rejected') throw write.reason
    return write.value(unit)
  }
}

/**
 * Returns an async function that calls `work`, such as a function that hashes a password, once for each text. Equal texts get the same
 * promise.
 */
function cachedByText(work: (text: string) => Promise<string>): (text: string) => Promise<string> {
  const known = new Map<string, Promise<string>>()
  return (text) => {
    const result = known.get(text) ?? work(text)
    known.set(text, result)
    return result
  }
}

/**
 * Runs `work` for the request at index `at` of a batch. Rethrows an HTTP error as a 400 for the whole batch, with status, message and data
 * of that error under the index.
 */
async function withRequestIndex<T>(at: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { status, message, data } = error
    const failed = { code: 'batch_request_failed', message: 'Batch request failed.', response: { status, message, data } }
    throw badRequest('Batch transaction failed.', { requests: { [at]: failed } })
  }
}
