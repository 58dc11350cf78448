import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../platform/json.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import type { Value } from './comparison.ts'
import { FilterError } from './parse.ts'

/** The facts of a request that filters and rules can use: everything after `@request.`. */
export type RequestFacts = {
  /** The caller's account; `undefined` for a guest. */
  readonly actor?: StoredRecord | undefined
  /** The collection through which the caller signed in; default `users`. */
  readonly actorCollection?: { readonly name: string; readonly id: string } | undefined
  /** True for a client of the oldest generation, which is recognised by its tokens. */
  readonly early?: boolean
  readonly context: 'default' | 'realtime' | 'expand' | 'batch'
  readonly method: string
  readonly query: { readonly [name: string]: string }
  /** Names in lower case, with `_` for `-`. */
  readonly headers: { readonly [name: string]: string }
  /** The fields that a create or update request sent. */
  readonly body?: { readonly [field: string]: Json } | undefined
  /** The stored record before an update. */
  readonly previous?: StoredRecord | undefined
}

const users = { name: 'users', id: '_pb_users_auth_' } as const

/**
 * The value of a name that starts with `@request.`; null if the request does not have it. Throws {@link FilterError} for an unknown part or
 * modifier.
 */
export function requestValue(name: string, facts: RequestFacts): Value {
  const [path = '', modifier] = name.split(':', 2)
  const [, part = '', ...rest] = path.split('.')
  const found = lookUp(part, rest, facts)
  const before = part === 'body' ? ownValue(facts.previous, rest.join('.')) : undefined
  // The caller's account is not sent, so `isset` is false for it.
  const sent = part === 'auth' ? undefined : found
  return modifier === undefined ? asValue(found) : modifiedValue(modifier, modifier === 'isset' ? sent : found, before)
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
    default:
      throw new FilterError(`Cannot read the filter: "@request.${part}" is not a part of a request`)
  }
}

function authValue(field: string, { actor, actorCollection = users }: RequestFacts): Json | undefined {
  if (actor === undefined) return undefined
  return field === 'collectionName' ? actorCollection.name : field === 'collectionId' ? actorCollection.id : ownValue(actor, field)
}

/** Converts a JSON value to the value that filters compare. */
export function asValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** Converts header names to those of rules: `X-Token` becomes `x_token`. */
export function underscored(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase().replaceAll('-', '_'), value]))
}
