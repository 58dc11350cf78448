import PocketBase, { ClientResponseError, type RecordModel } from 'pocketbase'
import { basePath } from '../base-path.ts'
import { setClockBy } from '../format/clock.ts'
import { failureOf } from './failure-of.ts'
import { listOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { RequestFailed, unreadable } from './request-failed.ts'
import { sessionStore } from './session-store.ts'

/** Number of records that `readRecords` requests per page: 500. It reads pages until all records are loaded. */
const LIST_BATCH = 500
const REQUEST_DEADLINE_MS = 20_000

const client = new PocketBase(`${basePath}/`, sessionStore())
// The page reads several lists of one collection at once. With auto-cancellation, the SDK would cancel the earlier of two requests to one
// address.
client.autoCancellation(false)
client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: fetchTimed } })

/** Options that end an HTTP request early: it is aborted after `deadlineMs` (20 s when absent) or by `signal`, whichever comes first. */
export type RequestEnd = { readonly signal?: AbortSignal | undefined; readonly deadlineMs?: number }

const endedBy = ({ signal, deadlineMs = REQUEST_DEADLINE_MS }: RequestEnd = {}): { readonly signal: AbortSignal } => {
  const deadline = AbortSignal.timeout(deadlineMs)
  return { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) }
}

/**
 * Sends a request with `fetch` and resolves with the response. The `Date` header of the response corrects the dashboard's clock, which
 * follows the hub's time.
 */
async function fetchTimed(url: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  const sentAtMs = performance.now()
  const response = await fetch(url, options)
  setClockBy(response.headers, performance.now() - sentAtMs)
  return response
}

const isList = (url: string): boolean => /\/records\?/.test(url)
const isSession = (url: string): boolean => /\/auth-(?:refresh|with-password|with-oauth2)(?:\?|$)/.test(url)

client.afterSend = (response: Response, data: unknown) => {
  // The SDK reads a truncated or non-JSON body as an empty object. That would look like an empty list or a signed-out session.
  const { items, token } = recordOf(data)
  const isIncomplete = (isList(response.url) && !Array.isArray(items)) || (isSession(response.url) && textOf(token) === undefined)
  if (response.ok && isIncomplete) throw unreadable()
  return data
}

export type Role = 'admin' | 'user' | 'readonly'
export type SignedInUser = { readonly id: string; readonly email: string; readonly role: Role }

const roles: readonly Role[] = ['admin', 'user', 'readonly']

/** Returns the role in an account's record. A role that this dashboard does not know gets the least rights. */
export const roleOf = (record: JsonRecord): Role => roles.find((one) => one === record['role']) ?? 'readonly'

function userOf(record: RecordModel | null): SignedInUser | undefined {
  if (record === null || !client.authStore.isValid) return undefined
  return { id: record.id, email: textOf(record['email']) ?? '', role: roleOf(record) }
}

let signedIn = userOf(client.authStore.record)
let hadSession = signedIn !== undefined
client.authStore.onChange((_token, record) => {
  hadSession ||= record !== null
})

/** Returns the user of the current session; `undefined` when nobody is signed in. It is the same object until the session changes. */
export const signedInUser = (): SignedInUser | undefined => signedIn

/** Returns true when this page has had a session since it was loaded, also one that has ended. */
export const hasHadSession = (): boolean => hadSession

export function onSessionChange(listener: () => void): () => void {
  return client.authStore.onChange((_token, record) => {
    signedIn = userOf(record)
    listener()
  })
}

/**
 * Stores the token and user record from an authentication response as the current session. Throws RequestFailed (`unreadable`) when the
 * response has no token.
 */
export function keepSession(response: unknown): void {
  const { token, record } = recordOf(response)
  const newToken = textOf(token)
  if (newToken === undefined) throw unreadable()
  client.authStore.save(newToken, recordOf(record) as RecordModel) // a session's response has the person's record
}

export const clearSession = (): void => client.authStore.clear()

export const signIn = (email: string, password: string): Promise<unknown> =>
  answered(client.collection('users').authWithPassword(email, password, endedBy()))

/**
 * Signs in with an OAuth2 provider (by its id, such as `google`) in a popup window, and stores the session. Stays pending forever when the
 * person closes the popup.
 */
export const signInAtProvider = (provider: string): Promise<unknown> => answered(client.collection('users').authWithOAuth2({ provider }))

export const refreshSession = (): Promise<unknown> => answered(client.collection('users').authRefresh(endedBy()))

export type ListQuery = { readonly sort?: string; readonly filter?: string; readonly fields?: string }

/**
 * Resolves to all records of one of the hub's collections (PocketBase-compatible CRUD API) that match the query, each converted by `read`.
 * Pages of 500 are converted when they arrive: converting thousands of records at once would block the page. Rejects with RequestFailed.
 */
export async function readRecords<T>(
  collection: string,
  query: ListQuery,
  read: (record: JsonRecord) => T,
  signal: AbortSignal | undefined,
): Promise<readonly T[]> {
  const options = { query: { skipTotal: 1, ...query }, ...endedBy({ signal }) }
  const all: T[] = []
  for (let page = 1; all.length === (page - 1) * LIST_BATCH; page++) {
    const { items } = await answered(client.collection(collection).getList(page, LIST_BATCH, options))
    all.push(...items.map(read))
  }
  return all
}

/**
 * Resolves to all records of a collection, such as `alerts`, that match `query` (filter, sort order, fields), as JSON objects. It requests
 * pages of 500, as `readRecords` does, but converts nothing.
 */
export const listRecords = (collection: string, query: ListQuery, signal: AbortSignal | undefined): Promise<readonly JsonRecord[]> =>
  readRecords(collection, query, (record) => record, signal)

/**
 * Reads the first record of a collection (PocketBase-compatible CRUD API) that matches the query. Resolves to an array like `listRecords`,
 * with that record or empty.
 */
export const listFirst = async (collection: string, query: ListQuery, signal: AbortSignal | undefined): Promise<readonly JsonRecord[]> =>
  (await answered(client.collection(collection).getList(1, 1, { ...query, skipTotal: true, ...endedBy({ signal }) }))).items

export const createRecord = (collection: string, fields: JsonRecord): Promise<JsonRecord> =>
  answered(client.collection(collection).create(fields, endedBy()))

export const updateRecord = async (collection: string, id: string, fields: JsonRecord): Promise<JsonRecord> =>
  answered(client.collection(collection).update(requireId(id), fields, endedBy()))

export const deleteRecord = async (collection: string, id: string): Promise<unknown> =>
  answered(client.collection(collection).delete(requireId(id), endedBy()))

/**
 * Returns the record id, or throws RequestFailed with status 404 when it is empty. The error has the message that the PocketBase SDK would
 * give.
 */
function requireId(id: string): string {
  if (id === '') throw new RequestFailed('refused', 'Missing required record id.', { status: 404 })
  return id
}

/** Returns a filter expression of the CRUD API with quoted parameters: `filterOf('system = {:id}', { id })`. */
export const filterOf = (expression: string, parameters: JsonRecord): string => client.filter(expression, { ...parameters })

/** Sends a GET request to a path of the hub and resolves to the parsed JSON. `signal` aborts the request. Rejects with RequestFailed. */
export const getJson = (path: string, signal: AbortSignal | undefined): Promise<unknown> =>
  answered(client.send<unknown>(path, { method: 'GET', ...endedBy({ signal }) }))

/**
 * Sends a POST, PATCH or DELETE request to a path of the hub; `body` is sent as JSON, or as a form. Resolves to the parsed response.
 * Rejects with RequestFailed.
 */
export const sendRequest = (
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: JsonRecord | FormData,
  end?: RequestEnd,
): Promise<unknown> => answered(client.send<unknown>(path, { method, ...(body === undefined ? {} : { body }), ...endedBy(end) }))

export type RecordEvent = { readonly action: string; readonly record: JsonRecord }

/**
 * Subscribes to a topic of the realtime API (server-sent events) and calls `onEvent` with each event. Resolves, once the hub has accepted,
 * to the function that unsubscribes. `query` parameters become part of the topic.
 */
export const subscribeTopic = (
  topic: string,
  onEvent: (topic: string, data: unknown) => void,
  query?: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> =>
  answered(client.realtime.subscribe(topic, (data) => onEvent(topic, data), query && { query: { ...query } }))

/**
 * Parses the data of a realtime event about a record (topics `collection/*` and `collection/ID`): the action (create, update, delete) and
 * the record.
 */
export const readRecordEvent = (data: unknown): RecordEvent => {
  const { action, record } = recordOf(data)
  return { action: textOf(action) ?? '', record: recordOf(record) }
}

/**
 * Listens to the realtime connection (server-sent events): `onConnect` after each connect, `onDisconnect` when it is lost, but not when
 * this page closes it. The PocketBase SDK reconnects by itself. Resolves with the function that removes `onConnect`.
 */
export async function watchConnection(onConnect: () => unknown, onDisconnect: () => void): Promise<() => Promise<void>> {
  client.realtime.onDisconnect = (topics) => {
    // Without topics, the page itself closed the connection.
    if (topics.length > 0) onDisconnect()
  }
  return await answered(client.realtime.subscribe('PB_CONNECT', onConnect))
}

let onRefusal: () => void = () => undefined

/**
 * Sets the only listener for responses with status 401, 403 or 404, after which the session may have ended elsewhere. Returns the function
 * that removes it.
 */
export function watchRefusals(listener: () => void): () => void {
  onRefusal = listener
  return () => {
    onRefusal = () => undefined
  }
}

async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const failure = error instanceof ClientResponseError ? await failureOf(error) : error
    if (failure instanceof RequestFailed && [401, 403, 404].includes(failure.status)) onRefusal()
    throw failure
  }
}

/** Returns the list of record ids in the value of a relation field, which is one id or a list of ids. Empty for any other value. */
export const idsOf = (value: unknown): readonly string[] => {
  const single = textOf(value)
  return single === undefined ? listOf(value).flatMap((one) => textOf(one) ?? []) : [single]
}
