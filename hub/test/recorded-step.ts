import assert from 'node:assert/strict'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { dataset, TARPIT, type RecordedHub } from './recorded-hub.ts'

/** A recorded request with its response. */
export type Step = {
  readonly as?: string
  readonly bearer?: boolean
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly json?: Json
  readonly raw?: string
  readonly form?: { readonly [name: string]: string }
  readonly multipart?: readonly (readonly [string, string])[]
  readonly save?: string
  readonly saveId?: string
  readonly saveToken?: string
  /** How the body was shortened for the record. */
  readonly pick?: readonly string[]
  readonly strip?: readonly string[]
  readonly bodyOnly?: string
  readonly statusOnly?: boolean
  readonly response: {
    readonly status: number
    readonly type?: string
    readonly headers?: { readonly [name: string]: string }
    readonly body?: Json
  }
}

/** Ids and tokens an earlier step gave. */
export type Saved = { readonly ids: Map<string, string>; readonly tokens: Map<string, string> }

export const newSaved = (): Saved => ({ ids: new Map(), tokens: new Map() })

/** Sends the request of a step. */
export async function send(hub: RecordedHub, step: Step, saved: Saved): Promise<Response> {
  const body = bodyOf(step, (text) => fillNow(text, saved))
  const path = (await fillIn(hub, step.path, saved)).replaceAll(' ', '%20')
  const headers = await headersOf(hub, step, saved)
  // As if the request came from this machine.
  const from = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
  return hub.app.fetch(new Request(`http://hub${path}`, { method: step.method, headers, ...(body === undefined ? {} : { body }) }), from)
}

async function headersOf(hub: RecordedHub, step: Step, saved: Saved): Promise<Headers> {
  const who = step.as ?? 'guest'
  const token = saved.tokens.get(who) ?? (who === 'guest' ? '' : await hub.tokenOf(who))
  const headers = new Headers()
  if (token !== '') headers.set('authorization', step.bearer === true ? `Bearer ${token}` : token)
  for (const [name, value] of Object.entries(step.headers ?? {})) headers.set(name, await fillIn(hub, value, saved))
  if (!headers.has('content-type') && step.json !== undefined) headers.set('content-type', 'application/json')
  // Without this, fetch would add a type of its own.
  if (!headers.has('content-type') && step.raw !== undefined) headers.set('content-type', '')
  return headers
}

function bodyOf(step: Step, fill: (text: string) => string): string | URLSearchParams | FormData | undefined {
  if (step.json !== undefined) return fill(JSON.stringify(step.json))
  if (step.raw !== undefined) return step.raw
  if (step.form !== undefined)
    return new URLSearchParams(fill(new URLSearchParams(step.form).toString().replaceAll('%7B', '{').replaceAll('%7D', '}')))
  if (step.multipart === undefined) return undefined
  const form = new FormData()
  for (const [name, value] of step.multipart) form.append(name, fill(value))
  return form
}

function fillNow(text: string, saved: Saved): string {
  return text
    .replaceAll('"{{nowms}}"', String(Date.now()))
    .replaceAll('{{tarpit}}', TARPIT)
    .replaceAll('{{email}}', dataset.superuser.email)
    .replaceAll('{{password}}', dataset.superuser.password)
    .replaceAll('{{isoToday}}', new Date().toISOString().slice(0, 10))
    .replaceAll(/\{\{([\w:]+)\}\}/g, (whole, name: string) => saved.ids.get(name) ?? whole)
}

async function fillIn(hub: RecordedHub, text: string, saved: Saved): Promise<string> {
  let filled = fillNow(text, saved)
  for (const [whole, who = ''] of filled.matchAll(/\{\{token:(\w+)\}\}/g))
    filled = filled.replace(whole, saved.tokens.get(who) ?? (await hub.tokenOf(who)))
  return filled.replaceAll(/\{\{id:(\w+)\}\}/g, (whole, who: string) => dataset.aliases[who] ?? whole)
}

/** Saves the parts of a response that later steps need. */
export function keep(step: Step, body: Json, saved: Saved): void {
  if (!isObject(body)) return
  const { token = null } = body
  const id = idIn(body)
  const name = step.save ?? step.saveId
  if (name !== undefined && typeof id === 'string') saved.ids.set(name, id)
  if (step.saveToken !== undefined && typeof token === 'string') saved.tokens.set(step.saveToken, token)
}

/** Id of the record in a response, or of the account that signed in. */
function idIn({ id, record, admin }: { readonly [key: string]: Json }): Json | undefined {
  const account = record ?? admin ?? null
  return id ?? (isObject(account) ? account['id'] : undefined)
}

const shapes: Readonly<Record<string, RegExp>> = {
  '<date>': /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/,
  '<jwt>': /^[\w-]+\.[\w-]+\.[\w-]+$/,
  '<token>': /./,
  // Id of a record, or of the collection of users.
  '<id>': /^(?:[a-z0-9]{6,15}|_pb_users_auth_)$/,
  '<uuid>': /^[0-9a-f-]{36}$/,
  '<sshkey>': /^ssh-ed25519 /,
  '<version>': /^\d/,
  '<username>': /^users\d+$/,
  '<id:boss>': /^boss|^[a-z0-9]{15}$/,
  '<id:super>': /^boss|^[a-z0-9]{15}$/,
  '<id:admin>': /^[a-z0-9]{15}$/,
  '<tarpit>': new RegExp(`^${TARPIT}$`),
}

/** Stands for a path within a text. */
const DIRECTORY = '<data dir>'

/** Compares a response with a recorded one: placeholders by their format, keys of objects in any order. */
export function assertLike(actual: Json, expected: Json, saved: Saved): void {
  assert.deepEqual(withPlaceholders(actual, expected, saved), expected)
}

/** The response with a placeholder wherever the recorded one has it and the value has its format. */
function withPlaceholders(actual: Json, expected: Json, saved: Saved): Json {
  if (typeof expected === 'string') return isLike(actual, expected, saved) ? expected : actual
  if (Array.isArray(actual) && Array.isArray(expected))
    return actual.map((one: Json, at) => withPlaceholders(one, expected[at] ?? null, saved))
  if (!isObject(actual) || !isObject(expected)) return actual
  const entries = Object.entries(actual).filter(([key]) => key in expected || !isAdded(key, expected))
  return Object.fromEntries(entries.map(([key, value]) => [key, withPlaceholders(value, expected[key] ?? null, saved)]))
}

/** Whether a key is an addition of our responses over the recorded ones. */
function isAdded(key: string, expected: { readonly [key: string]: Json }): boolean {
  if ('err' in expected) return ['data', 'message', 'status', 'code'].includes(key)
  if (key === 'position') return expected['status'] === 400
  return (key === 'code' && 'status' in expected) || (key === 'setupCodeNeeded' && 'firstRun' in expected)
}

function isLike(actual: Json, expected: string, saved: Saved): boolean {
  if (expected === '<ms>') return typeof actual === 'number'
  if (typeof actual !== 'string') return false
  const [before, after] = expected.split(DIRECTORY, 2)
  if (after !== undefined) return actual.startsWith(`${before}/`) && actual.endsWith(after)
  const name = /^<([\w:]+)>$/.exec(expected)?.[1] ?? ''
  return shapes[expected]?.test(actual) ?? saved.ids.get(name) === actual
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
