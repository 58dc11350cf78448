import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../platform/json.ts'
import { type StoredRecord, recordDate } from '../model/stored-record.ts'
import type { Value } from './comparison.ts'
import { FilterError } from './parse.ts'
import type { KeyScope } from '../model/key-scope.ts'
import type { Collection, Field } from '../model/collection.ts'
import type { Term } from './plan.ts'

/** Data of a request that filters and access rules can read through names that start with `@request.`. */
export type RequestFacts = {
  /** Account record of the user who sent the request (`@request.auth`); `undefined` for a guest. */
  readonly actor?: StoredRecord | undefined
  /** Sign-in collection of the requesting user, by name and id: `users` (the default) or `_superusers`. */
  readonly actorCollection?: { readonly name: string; readonly id: string } | undefined
  /** Scope of the API key with which the request was sent; `undefined` for a session and for a guest. */
  readonly keyScope?: KeyScope | undefined
  /** Tags to which the API key of the request is limited; `undefined` without an API key and for one without a limit. */
  readonly keyTags?: readonly string[] | undefined
  /**
   * True for a request from a client for PocketBase's former admin API, recognised by the type of its session token. Such clients expect
   * all errors of a new record at once.
   */
  readonly early?: boolean
  readonly context: 'default' | 'realtime' | 'expand' | 'batch'
  readonly method: string
  readonly query: { readonly [name: string]: string }
  /** Headers of the request by name, in lower case and with `_` for `-`, such as `x_token`. */
  readonly headers: { readonly [name: string]: string }
  /** Fields in the body of a create or update request, by name; `undefined` for other requests. */
  readonly body?: { readonly [field: string]: Json } | undefined
  /** Record as it is stored before the update that is requested; `undefined` for other requests. */
  readonly previous?: StoredRecord | undefined
}

const users = { name: 'users', id: '_pb_users_auth_' } as const

/**
 * Returns the value of a filter's name that starts with `@request.`, such as `@request.auth.id`; null if the request lacks it. Throws
 * {@link FilterError} for an unknown part of a request or an unknown modifier.
 */
export function requestValue(name: string, facts: RequestFacts): Value {
  const [path = '', modifier] = name.split(':', 2)
  const [, part = '', ...rest] = path.split('.')
  const found = lookUp(part, rest, facts)
  const before = part === 'body' ? ownValue(facts.previous, rest.join('.')) : undefined
  // The account is not part of the request body or query, so `isset` is false for it.
  const sent = part === 'auth' ? undefined : found
  return modifier === undefined ? asValue(found) : modifiedValue(modifier, modifier === 'isset' ? sent : found, before)
}

/** Returns the list of texts that a name such as `@request.auth.viewTags` in a filter stands for; `undefined` if its value is no list. */
export function requestList(name: string, facts: RequestFacts): readonly string[] | undefined {
  const [, part = '', ...rest] = name.split('.')
  const found = name.includes(':') ? undefined : lookUp(part, rest, facts)
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : undefined
}

function modifiedValue(modifier: string, found: Json | undefined, before: Json | undefined): Value {
  switch (modifier) {
    case 'isset':
      return found === undefined ? 0 : 1
    case 'changed':
      return found !== undefined && JSON.stringify(found) !== JSON.stringify(before) ? 1 : 0
    case 'lower':
      return typeof found === 'string' ? found.toLowerCase() : asValue(found)
    case 'length':
      return Array.isArray(found) ? found.length : null
    default:
      throw new FilterError(`Cannot read the filter: there is no modifier "${modifier}"`)
  }
}

function lookUp(part: string, rest: readonly string[], facts: RequestFacts): Json | undefined {
  const [first = ''] = rest
  switch (part) {
    case 'context':
      return facts.context
    case 'method':
      return facts.method
    case 'query':
      return ownValue(facts.query, first)
    case 'headers':
      return ownValue(facts.headers, first)
    case 'body':
      return rest.reduce<Json | undefined>((value, key) => (isJsonObject(value) ? ownValue(value, key) : undefined), facts.body ?? {})
    case 'auth':
      return authValue(first, facts)
    case 'keyTags':
      return facts.keyTags
    default:
      throw new FilterError(`Cannot read the filter: "@request.${part}" is not a part of a request`)
  }
}

function authValue(field: string, { actor, actorCollection = users }: RequestFacts): Json | undefined {
  if (actor === undefined) return undefined
  return field === 'collectionName' ? actorCollection.name : field === 'collectionId' ? actorCollection.id : ownValue(actor, field)
}

/** Converts a JSON value to a filter value: a text, a number or null. Booleans become 1 or 0, lists and objects their JSON text. */
export function asValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** Returns a copy of HTTP headers with the names by which filters read them: `X-Token` becomes `x_token`. */
export function underscoredHeaders(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase().replaceAll('-', '_'), value]))
}

/**
 * Converts a field of a collection to a term: one side of a comparison in a filter's plan. `path` leads into a JSON field. `join` is the id
 * of the join to the field's record, 0 for the filtered record.
 */
export function plainTerm(
  field: Field,
  path: readonly string[],
  { join, collection }: { readonly join: number; readonly collection: Collection },
): Term {
  switch (field.kind) {
    case 'json':
      return { kind: 'json', join, column: field.name, path }
    case 'secret':
      return { kind: 'secret', join, column: field.name, collection }
    case 'labels':
      return { kind: 'labels', join, column: field.name }
    case 'number':
    case 'flag':
      return { kind: 'column', join, column: field.name, type: 'number' }
    default:
      return { kind: 'column', join, column: field.name, type: 'text' }
  }
}

/**
 * Converts a field with a modifier such as `:lower` or `:length` to a term: one side of a comparison in a filter's plan. If the modifier
 * does not fit the field, every comparison with it is false. Throws {@link FilterError} for an unknown modifier.
 */
export function modifiedTerm(field: Field | undefined, modifier: string, join: number): Term {
  const column = field?.name ?? 'id'
  switch (modifier) {
    case 'lower':
      if (isNumeric(field)) return { kind: 'lower', join, column, isNumber: true }
      return canBeLower(field) ? { kind: 'lower', join, column } : { kind: 'never' }
    case 'length':
      return hasLength(field) ? { kind: 'count', join, column, list: isList(field) } : { kind: 'never' }
    case 'each':
      return isChoice(field) ? { kind: 'column', join, column, type: 'text' } : { kind: 'never' }
    case 'isset':
    case 'changed':
      return { kind: 'never' }
    default:
      throw new FilterError(`Cannot read the filter: there is no modifier "${modifier}"`)
  }
}

function isList(field: Field | undefined): boolean {
  return field?.kind === 'labels' || (field?.kind === 'relation' && field.many === true)
}

function isChoice(field: Field | undefined): boolean {
  return field?.kind === 'relation' || field?.kind === 'select'
}

const hasLength = (field: Field | undefined): boolean => isChoice(field) || isList(field)

function isNumeric(field: Field | undefined): boolean {
  return field?.kind === 'number' || field?.kind === 'flag'
}

function canBeLower(field: Field | undefined): boolean {
  return (isChoice(field) && !isList(field)) || field?.kind === 'text' || field?.kind === 'email'
}

const DAY_MS = 86_400_000

/**
 * Returns the value of a filter macro such as `@now` at a time, in UTC; `undefined` for an unknown name. Dates are texts in the format of
 * records, other macros numbers.
 */
export function macroValue(name: string, nowMs: number): Value | undefined {
  return ownValue(macros, name)?.(new Date(nowMs))
}

const at = (year: number, month: number, day: number): number => Date.UTC(year, month, day)

const macros: Readonly<Record<string, (now: Date) => Value>> = {
  '@now': (now) => recordDate(now.getTime()),
  '@yesterday': (now) => recordDate(now.getTime() - DAY_MS),
  '@tomorrow': (now) => recordDate(now.getTime() + DAY_MS),
  '@todayStart': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
  '@todayEnd': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - 1),
  '@monthStart': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  '@monthEnd': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1),
  '@yearStart': (now) => recordDate(at(now.getUTCFullYear(), 0, 1)),
  '@yearEnd': (now) => recordDate(at(now.getUTCFullYear() + 1, 0, 1) - 1),
  '@second': (now) => now.getUTCSeconds(),
  '@minute': (now) => now.getUTCMinutes(),
  '@hour': (now) => now.getUTCHours(),
  '@day': (now) => now.getUTCDate(),
  '@month': (now) => now.getUTCMonth() + 1,
  '@weekday': (now) => now.getUTCDay(),
  '@year': (now) => now.getUTCFullYear(),
}
