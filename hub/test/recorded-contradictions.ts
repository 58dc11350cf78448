import assert from 'node:assert/strict'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { inTodaysWords } from './recorded-generations.ts'
import { readVector } from './recorded-hub.ts'
import { assertLike, newSaved, type Step } from './recorded-step.ts'

/**
 * Where the two recorded generations answer the same request in contrary ways. One hub can be like one of them only, where
 * nothing in the request tells whose client sent it; which cases these are follows from the recordings alone.
 */

type Recording = { readonly groups: readonly { readonly steps: readonly Step[] }[] }
type Generation = 'early' | 'today'

const files: Readonly<Record<Generation, readonly string[]>> = {
  early: ['hub-0.2.0'],
  today: ['spec-calls', 'basics', 'records', 'auth', 'batch', 'admin', 'hub', 'first-run'],
}

function indexed(names: readonly string[]): ReadonlyMap<string, readonly Step[]> {
  const steps = names.flatMap((name) => (readVector(`${name}.json`) as Recording).groups.flatMap((group) => group.steps)) // the recording's own shape
  return Map.groupBy(
    steps.filter((step) => 'response' in step),
    requestOf,
  )
}

/** Steps of the other generation with the same request and another response. */
export function contraryTo(generation: Generation, step: Step): readonly Step[] {
  const known = byRequest[generation === 'early' ? 'today' : 'early']
  const others = [...(known.get(requestOf(step)) ?? []), ...(isPageForNowhere(step) ? (known.get(NOWHERE_REQUEST) ?? []) : [])]
  return others.filter((other) => (generation === 'early' ? isContrary(step, other) : isContrary(other, step)))
}

function isContrary(early: Step, today: Step): boolean {
  if (early.response.status !== today.response.status || early.response.type !== today.response.type) return true
  const { body = null } = today.response
  const { body: translated = null } = inTodaysWords(early, body).response
  try {
    assertLike(body, translated, newSaved())
    return false
  } catch (error) {
    if (error instanceof assert.AssertionError) return true
    throw error
  }
}

const roles: Readonly<Record<string, string>> = {
  guest: 'guest',
  rita: 'readonly',
  alice: 'user',
  bob: 'user',
  carol: 'user',
  admin: 'admin',
  super: 'admin',
}

/** Addresses that neither generation knows. */
const NOWHERE = /^\/api\/(none|beszel\/nope|beszel\/update)$/

/** A request for an address that neither generation knows, as {@link requestOf} writes it. */
const NOWHERE_REQUEST = 'guest GET /api/none  '

/** The current generation sends the dashboard's page for an unknown address below `/api/`, to every client. */
export const isPageForNowhere = ({ method, path, response: { status, type } }: Step): boolean =>
  method === 'GET' && /^\/api(?:\/|$)/.test(path) && status === 200 && type === 'text/html'

/** A request without the parts that differ between recordings: ids, dates, the exact account, the requested fields. */
function requestOf(step: Step): string {
  const [address = '', search] = step.path.split('?', 2)
  const route = NOWHERE.test(address) ? '/api/none' : address.replace(/\/records\/[^/]+/, '/records/ID')
  return [roleOf(step, route), step.method, route, queryOf(search), sentIn(step)].join(' ')
}

function roleOf({ as = 'guest', method }: Step, route: string): string {
  const role = roles[as] ?? as
  // Every role that the rule lets in meets the same checks.
  return ['user', 'admin'].includes(role) && method === 'POST' && route.endsWith('/systems/records') ? 'let in' : role
}

function sentIn({ headers, json, raw, form }: Step): string {
  const body = json ?? form
  if (body !== undefined) return shapeOf(body)
  return raw === undefined ? '' : `text of ${headers?.['content-type'] ?? ''}`
}

function queryOf(search = ''): string {
  return [...new URLSearchParams(search)]
    .filter(([name, value]) => !['fields', 'sort', 'skipTotal'].includes(name) && !(name === 'perPage' && Number(value) <= 500))
    .map(([name, value]) => `${name}=${name === 'filter' ? value.replaceAll(/'[^']*'|"[^"]*"|\s/g, '') : value}`)
    .toSorted()
    .join('&')
}

/** Fields whose values decide the outcome and are kept; for all others only the type counts. */
const telling = ['name', 'status']
/** Fields that the early generation does not have. */
const unknownThen = ['min']

function shapeOf(value: Json): string {
  if (Array.isArray(value)) return `list of ${value.length}`
  if (typeof value !== 'object' || value === null) return typeof value
  const shape = Object.entries(value)
    .filter(([name, inner]) => inner !== '' && !unknownThen.includes(name))
    .map(([name, inner]) => {
      const isAlert = telling.includes(name) && 'system' in value
      return `${name}: ${isAlert || name === 'status' ? String(inner) : shapeOf(inner)}`
    })
  return `{ ${shape.toSorted().join(', ')} }`
}

const byRequest = { early: indexed(files.early), today: indexed(files.today) } as const
