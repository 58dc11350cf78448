import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../model/json-value.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import type { Value } from './comparison.ts'
import { FilterError } from './parse.ts'

/** What a filter or a rule may know of the request it is evaluated for: everything after `@request.`. */
export type RequestFacts = {
  /** Who asks; undefined for a guest. */
  readonly actor?: StoredRecord | undefined
  /** The collection they signed in through; `users` unless it is said. */
  readonly actorCollection?: { readonly name: string; readonly id: string } | undefined
  /** Asked by a client of the oldest generation, which is known by its tokens. */
  readonly early?: boolean
  readonly context: 'default' | 'realtime' | 'expand' | 'batch'
  readonly method: string
  readonly query: { readonly [name: string]: string }
  /** Lower case, `_` for `-`. */
  readonly headers: { readonly [name: string]: string }
  /** Of a create or update: what was sent. */
  readonly body?: { readonly [field: string]: Json } | undefined
  /** The record before an update. */
  readonly previous?: StoredRecord | undefined
}

const users = { name: 'users', id: '_pb_users_auth_' } as const

/** The value of a name that starts with `@request.`; null for what is not there. Throws {@link FilterError} for another part of it. */
export function requestValue(name: string, facts: RequestFacts): Value {
  const [path = '', modifier] = name.split(':', 2)
  const [, part = '', ...rest] = path.split('.')
  const found = lookUp(part, rest, facts)
  const before = part === 'body' ? ownValue(facts.previous, rest.join('.')) : undefined
  // Who asks is not sent: only what is sent can be set.
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

/** A JSON value as filters compare it. */
export function asValue(value: Json | undefined): Value {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : value
}

/** Header names as rules spell them: `X-Token` is `x_token`. */
export function underscored(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase().replaceAll('-', '_'), value]))
}
