import PocketBase, { ClientResponseError, type RecordModel } from 'pocketbase'
import { basePath } from '../base-path.ts'
import { setClockBy } from '../format/clock.ts'
import { failureOf } from './failure-of.ts'
import { listOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { RequestFailed, unreadable } from './request-failed.ts'
import { sessionStore } from './session-store.ts'

/** How many records one request of a full list asks for. */
const LIST_BATCH = 500
const REQUEST_DEADLINE_MS = 20_000
const UPLOAD_DEADLINE_MS = 3_600_000

const client = new PocketBase(`${basePath}/`, sessionStore())
// Several lists of one collection are read at once: the client would cancel the earlier of two requests to one address.
client.autoCancellation(false)
client.beforeSend = (url, options) => ({ url, options: { ...options, fetch: fetchTimed } })

/** When a request ends at the latest: after `deadlineMs`, or when `signal` gives it up. */
export type RequestEnd = { readonly signal?: AbortSignal | undefined; readonly deadlineMs?: number }

const endedBy = ({ signal, deadlineMs = REQUEST_DEADLINE_MS }: RequestEnd = {}): { readonly signal: AbortSignal } => {
  const deadline = AbortSignal.timeout(deadlineMs)
  return { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) }
}

/** Sets the page's clock by the response, as soon as its headers have arrived. */
async function fetchTimed(url: RequestInfo | URL, options?: RequestInit): Promise<Response> {
  const sentAtMs = performance.now()
  const response = await fetch(url, options)
  setClockBy(response.headers, performance.now() - sentAtMs)
  return response
}

const isList = (url: string): boolean => /\/records\?/.test(url)
const isSession = (url: string): boolean => /\/auth-(?:refresh|with-password|with-oauth2)(?:\?|$)/.test(url)

client.afterSend = (response: Response, data: unknown) => {
  // The SDK reads a body that was cut off or is not JSON as an empty object, and that as an empty list or as the end of the session.
  const { items, token } = recordOf(data)
  const isIncomplete = (isList(response.url) && !Array.isArray(items)) || (isSession(response.url) && textOf(token) === undefined)
  if (response.ok && isIncomplete) throw unreadable()
  return data
}

export type Role = 'admin' | 'user' | 'readonly'
export type SignedInUser = { readonly id: string; readonly email: string; readonly role: Role }

const roles: readonly Role[] = ['admin', 'user', 'readonly']

function userOf(record: RecordModel | null): SignedInUser | undefined {
  if (record === null || !client.authStore.isValid) return undefined
  // A role that is not known to this dashboard is given the least it can do.
  const role = roles.find((one) => one === record['role']) ?? 'readonly'
  return { id: record.id, email: textOf(record['email']) ?? '', role }
}

let signedIn = userOf(client.authStore.record)

/** The user of the session. The same object until it changes, so that it can be compared. */
export const signedInUser = (): SignedInUser | undefined => signedIn

export function onSessionChange(listener: () => void): () => void {
  return client.authStore.onChange((_token, record) => {
    signedIn = userOf(record)
    listener()
  })
}

/** Replaces the token of the session by the one in the response. Throws where there is none. */
export function keepSession(response: unknown): void {
  const { token, record } = recordOf(response)
  const newToken = textOf(token)
  if (newToken === undefined) throw unreadable()
  client.authStore.save(newToken, recordOf(record) as RecordModel) // a session's response has the person's record
}

export const clearSession = (): void => client.authStore.clear()

export const signIn = (email: string, password: string): Promise<unknown> =>
  answered(client.collection('users').authWithPassword(email, password, endedBy()))

/** Signs in at a provider, in a window of its own; a window that is closed is never heard of. */
export const signInAtProvider = (provider: string): Promise<unknown> => answered(client.collection('users').authWithOAuth2({ provider }))

export const refreshSession = (): Promise<unknown> => answered(client.collection('users').authRefresh(endedBy()))

export const requestPasswordReset = (email: string): Promise<unknown> =>
  answered(client.collection('users').requestPasswordReset(email, endedBy()))

/** Sets a new password with the token from the mailed link. */
export const confirmPasswordReset = (token: string, password: string): Promise<unknown> =>
  answered(client.collection('users').confirmPasswordReset(token, password, password, endedBy()))

export type ListQuery = { readonly sort?: string; readonly filter?: string; readonly fields?: string }

/** All records of a collection that match, read in batches. */
export const listRecords = (collection: string, query: ListQuery, signal: AbortSignal | undefined): Promise<readonly JsonRecord[]> =>
  answered(client.collection(collection).getFullList({ batch: LIST_BATCH, ...query, ...endedBy({ signal }) }))

/** The first record of a collection that matches, in a list; an empty one for none. */
export const listFirst = async (collection: string, query: ListQuery, signal: AbortSignal | undefined): Promise<readonly JsonRecord[]> =>
  (await answered(client.collection(collection).getList(1, 1, { ...query, skipTotal: true, ...endedBy({ signal }) }))).items

export const createRecord = (collection: string, fields: JsonRecord): Promise<JsonRecord> =>
  answered(client.collection(collection).create(fields, endedBy()))

export const updateRecord = async (collection: string, id: string, fields: JsonRecord): Promise<JsonRecord> =>
  answered(client.collection(collection).update(requireId(id), fields, endedBy()))

export const deleteRecord = async (collection: string, id: string): Promise<unknown> =>
  answered(client.collection(collection).delete(requireId(id), endedBy()))

/** `Missing required record id.` is what a request without one is refused with, before it is sent. */
function requireId(id: string): string {
  if (id === '') throw new RequestFailed('refused', 'Missing required record id.', { status: 404 })
  return id
}

/** A filter with its parameters quoted: `filterOf('system = {:id}', { id })`. */
export const filterOf = (expression: string, parameters: JsonRecord): string => client.filter(expression, { ...parameters })

/** Reads JSON from an endpoint outside the collections. `signal`: a query's own, which ends the request when no page shows it any more. */
export const getJson = (path: string, signal: AbortSignal | undefined): Promise<unknown> =>
  answered(client.send<unknown>(path, { method: 'GET', ...endedBy({ signal }) }))

/** A change at an endpoint outside the collections; without a signal it goes on when its page is left. The body is sent as JSON. */
export const sendRequest = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: JsonRecord, end?: RequestEnd): Promise<unknown> =>
  answered(client.send<unknown>(path, { method, ...(body === undefined ? {} : { body }), ...endedBy(end) }))

/** A form with a file. Large ones take as long as they take. */
export const sendForm = (path: string, form: FormData): Promise<unknown> =>
  answered(client.send<unknown>(path, { method: 'POST', body: form, ...endedBy({ deadlineMs: UPLOAD_DEADLINE_MS }) }))

export type RecordEvent = { readonly action: string; readonly record: JsonRecord }

/** Subscribes to a topic; resolves once the hub has accepted it. A query becomes a part of the topic's name. */
export const subscribeTopic = (
  topic: string,
  onEvent: (topic: string, data: unknown) => void,
  query?: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> =>
  answered(client.realtime.subscribe(topic, (data) => onEvent(topic, data), query && { query: { ...query } }))

/** An event of the topics `collection/*` and `collection/ID`. */
export const readRecordEvent = (data: unknown): RecordEvent => {
  const { action, record } = recordOf(data)
  return { action: textOf(action) ?? '', record: recordOf(record) }
}

/** Tells when the live connection is lost; the client tries again by itself, and each connect is announced to `onConnect`. */
export async function watchConnection(onConnect: () => unknown, onDisconnect: () => void): Promise<() => Promise<void>> {
  client.realtime.onDisconnect = (topics) => {
    // Without topics it was us who closed it.
    if (topics.length > 0) onDisconnect()
  }
  return await answered(client.realtime.subscribe('PB_CONNECT', onConnect))
}

let onRefusal: () => void = () => undefined

/** Called when a request is refused or its object is not there for whoever asks: the session may have ended elsewhere. */
export function watchRefusals(listener: () => void): () => void {
  onRefusal = listener
  return () => {
    onRefusal = () => undefined
  }
}

const refusals: readonly number[] = [401, 403, 404]

async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const failure = error instanceof ClientResponseError ? failureOf(error) : error
    if (failure instanceof RequestFailed && refusals.includes(failure.status)) onRefusal()
    throw failure
  }
}

/** Ids in a relation, which stands as one id or as a list of them. */
export const idsOf = (value: unknown): readonly string[] => {
  const single = textOf(value)
  return single === undefined ? listOf(value).flatMap((one) => textOf(one) ?? []) : [single]
}
