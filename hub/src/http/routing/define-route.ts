import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { fieldPicker } from '../../records/presentation/present.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { type RequestContext, signedInCaller } from '../requests/request-context.ts'
import { fieldErrorsOf } from '../../records/model/field-errors.ts'
import { scopeCovers, type KeyUse } from '../../records/model/key-scope.ts'
import { signInFirst, type SignedInCaller } from '../../accounts/auth.ts'
import { isAdmin, type Actor } from '../../records/model/stored-record.ts'

export type RouteTag = 'hub' | 'sign-in' | 'records' | 'realtime' | 'agents' | 'history' | 'alerts' | 'back-office'

/**
 * Kind of a response that is not JSON: `nothing` (status 204), `events` (event stream), `file`, `text`, `redirect`, or `upgrade`
 * (WebSocket). `refused`: the route always responds with an error.
 */
export type ResponseKind = 'nothing' | 'events' | 'file' | 'text' | 'redirect' | 'upgrade' | 'refused'

/**
 * Declaration of a route's request body. `read` parses the body of a request, such as JSON or a form, to fields; `schema` checks and
 * converts these for the handler.
 */
export type RouteBody<Fields> = {
  readonly schema: z.ZodType<Fields>
  readonly read: (c: Context<RequestContext>) => Promise<Body>
}

/** HTTP method of a route. `ALL` matches every method; earlier routes with the same path take precedence. */
type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'

type RouteDetails = {
  readonly tag: RouteTag
  readonly summary: string
  readonly access: RouteAccess
  /**
   * Minimum scope that an API key needs to call this HTTP route; the key's owner must also meet `access`. `undefined` refuses all API keys.
   */
  readonly keys?: KeyUse
  readonly query?: z.ZodType
  readonly body?: RouteBody<unknown>
  readonly response: z.ZodType | ResponseKind
  /** True when clients may choose the fields of the response with the query parameter `fields`. False by default. */
  readonly picksFields?: boolean
  /**
   * True when the route's handler streams the request body itself, such as an upload. The usual size limit for bodies does not apply then.
   * False by default.
   */
  readonly receivesBody?: boolean
  /** Map from header name in lower case to value: headers of each JSON response made from the handler's returned value. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Error message of the 400 response when this HTTP route's query or body does not match its schema, such as `Failed to read the alert.`.
   * Absent: a general message.
   */
  readonly invalid?: string
}

/** Route without its handler, for the API description and access checks. `path` has `:name` for each variable segment. */
export type RouteDeclaration = RouteDetails & { readonly method: RouteMethod; readonly path: string }

/**
 * HTTP route: its declaration and its handler `respond`, which resolves to the response. `Parts` is the type of the services of the hub
 * that the handler uses.
 */
export type Route<Parts> = RouteDeclaration & {
  readonly respond: (c: Context<RequestContext>, parts: Parts) => Promise<Response>
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type RouteRequest<Path extends string, Access extends RouteAccess, Query, Fields> = Caller<Access> & {
  readonly c: Context<RequestContext>
  readonly params: { readonly [Name in NamesIn<Path>]: string }
  readonly query: Query
  /**
   * Function for a route's handler: reads and validates the request body, and resolves to its fields. Rejects with a 400 error for an
   * invalid body.
   */
  readonly body: () => Promise<Fields>
}

/** Type helper: returns the type `T` with all its arrays and objects readonly, also nested ones. */
type DeepReadonly<T> = JsonObject extends T ? T : T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

type RouteResponse<Answer extends z.ZodType | ResponseKind> = Answer extends z.ZodType
  ? DeepReadonly<z.input<Answer>> | Response
  : Answer extends 'nothing'
    ? void
    : Answer extends 'refused'
      ? never
      : Response

type Handler<Path extends string, Access extends RouteAccess, Query, Fields, Answer extends z.ZodType | ResponseKind, Parts> = (
  request: RouteRequest<Path, Access, Query, Fields>,
  parts: Parts,
) => Promise<RouteResponse<Answer>> | RouteResponse<Answer>

/**
 * Defines a route such as `GET /api/systems/:system/events` from its declaration and a handler. For a request, it checks access and query,
 * calls the handler and turns the returned value into a response.
 */
export function defineRoute<
  const Path extends string,
  const Access extends RouteAccess,
  Answer extends z.ZodType | ResponseKind,
  Query = Readonly<Record<string, string>>,
  Fields = never,
  Parts = unknown,
>(
  call: `${RouteMethod} ${Path}`,
  {
    handle,
    ...declared
  }: RouteDetails & {
    readonly access: Access
    readonly query?: z.ZodType<Query>
    readonly body?: RouteBody<Fields>
    readonly response: Answer
    readonly handle: Handler<Path, Access, Query, Fields, Answer, Parts>
  },
): Route<Parts> {
  const [method = '', path = ''] = call.split(' ')
  const { access, keys, query: querySchema, body, invalid, headers = {}, picksFields } = declared
  return {
    ...declared,
    method: method as RouteMethod, // by the type of `call`
    path,
    async respond(c, parts) {
      refuseKey(c, keys, doorOf(access))
      const caller = admit(c, access)
      const found = await handle(
        {
          ...caller,
          c,
          params: c.req.param() as RouteRequest<Path, Access, Query, Fields>['params'], // the router found every name of the path
          query: querySchema === undefined ? (c.req.query() as Query) : parsed(querySchema, c.req.query(), invalid), // the default type of Query
          async body() {
            if (body === undefined) throw new Error(`${call} declares no body`)
            return parsed(body.schema, await body.read(c), invalid)
          },
        },
        parts,
      )
      if (found instanceof Response) return found
      if (declared.response === 'nothing') return c.body(null, 204)
      const json = found as Json // by the types of `RouteResponse`
      return c.json(picksFields === true ? fieldPicker(c.req.query('fields') ?? '')(json) : json, 200, headers)
    },
  }
}

function parsed<T>(schema: z.ZodType<T>, given: unknown, message: string | undefined): T {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw badRequest(message, fieldErrorsOf(result.error))
}

/**
 * Adds routes to the Hono app in list order; the first that matches handles a request. `parts` are the services of the hub that handlers
 * get.
 */
export function mountRoutes<Parts>(app: Hono<RequestContext>, routes: readonly Route<Parts>[], parts: Parts): void {
  for (const { method, path, respond } of routes) {
    const handler = (c: Context<RequestContext>): Promise<Response> => respond(c, parts)
    if (method === 'ALL') app.all(path, handler)
    else app.on(method, path, handler)
  }
}

/**
 * Name of the minimum login that a route requires. `person` is a session of the collection `users`; sessions of `_superusers` or of
 * PocketBase's former admin API count as `admin` only. `API key` refuses sessions.
 */
export type Door = 'anyone' | 'signed in' | 'person' | 'admin' | 'person who is an admin' | 'oldest-generation admin' | 'API key'

/**
 * Access requirement of a route: the minimum login. `decidedBy` describes an additional check in the handler, such as an access rule or a
 * token.
 */
export type RouteAccess = Door | { readonly door: Door; readonly decidedBy: string }

export type DoorOf<Access extends RouteAccess> = Access extends { readonly door: infer Inner } ? Inner : Access

/**
 * The requester, as a route's handler sees it: account (`actor`) and session or API key (`proof`). Both are present, except on routes with
 * the access `anyone`, where they may be `undefined`.
 */
export type Caller<Access extends RouteAccess> =
  DoorOf<Access> extends 'anyone' ? { readonly actor: Actor; readonly proof: SignedInCaller['proof'] | undefined } : SignedInCaller

export const doorOf = (access: RouteAccess): Door => (typeof access === 'string' ? access : access.door)

/**
 * Checks that a request has the login that a route requires, and returns its account and session or API key. Throws 401 for a guest, and
 * 403 for an account without access. Routes for API keys or for the former admin API throw 401 for any other login.
 */
export function admit<const Access extends RouteAccess>(c: Context<RequestContext>, access: Access): Caller<Access> {
  const known = signedInCaller(c)
  check(doorOf(access), known)
  return (known ?? { actor: c.var.actor, proof: c.var.proof }) as Caller<Access> // check() throws for a guest at every other door
}

/**
 * Checks the API key of a request, if it has one. Throws 401 if it is unknown, expired or revoked, and 403 if the route does not allow its
 * scope (401 on routes that only accept API keys).
 */
function refuseKey(c: Context<RequestContext>, use: KeyUse | undefined, door: Door): void {
  if (c.var.hasWrongKey) throw new RecordError(401, 'The API key is unknown, expired or revoked.')
  const { key } = c.var.proof ?? {}
  if (key === undefined || scopeCovers(key.scope, use)) return
  if (door === 'API key') throw keysOnly()
  throw new RecordError(403, 'The scope of the API key does not allow this request.')
}

function check(door: Door, known: SignedInCaller | undefined): void {
  if (door === 'anyone') return
  if (door === 'oldest-generation admin') return checkOldest(known)
  if (door === 'API key' && known?.proof.key === undefined) throw keysOnly()
  if (known === undefined) throw signInFirst()
  if (needsPerson.has(door) && known.proof.collection.viewOf !== undefined) throw notAllowed()
  if ((door === 'admin' || door === 'person who is an admin') && !isAdmin(known.actor)) throw notAllowed()
}

const needsPerson: ReadonlySet<Door> = new Set(['person', 'person who is an admin'])

function checkOldest(known: SignedInCaller | undefined): void {
  if (known?.proof.collection.viewOf === undefined) throw oldestGenerationOnly()
}

const keysOnly = (): RecordError => new RecordError(401, 'The request requires an API key with the scope read.')

export const notAllowed = (): RecordError => new RecordError(403, 'The authorized record is not allowed to perform this action.')

export const oldestGenerationOnly = (): RecordError =>
  new RecordError(401, 'The request requires valid admin authorization token to be set.')
