import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { fieldPicker } from '../../records/presentation/present.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { type RequestContext, identified } from '../requests/request-context.ts'
import { fieldErrorsOf } from '../../records/model/field-errors.ts'
import { signInFirst, type Identified } from '../../accounts/auth.ts'
import { isAdmin, type Actor } from '../../records/model/stored-record.ts'

export type RouteTag = 'hub' | 'sign-in' | 'records' | 'realtime' | 'agents' | 'history' | 'alerts' | 'back-office'

/** Kind of a response that is not JSON. `refused` means that the route never succeeds. */
export type ResponseKind = 'nothing' | 'events' | 'file' | 'text' | 'redirect' | 'upgrade' | 'refused'

/** Request body of a route: `read` returns the fields as sent, `schema` parses them for the handler. */
export type RouteBody<Fields> = {
  readonly schema: z.ZodType<Fields>
  readonly read: (c: Context<RequestContext>) => Promise<Body>
}

/** HTTP method of a route. `ALL` matches every method that has no route of its own at the path. */
type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ALL'

type RouteDetails = {
  readonly tag: RouteTag
  readonly summary: string
  readonly access: RouteAccess
  readonly query?: z.ZodType
  readonly body?: RouteBody<unknown>
  readonly response: z.ZodType | ResponseKind
  /** True when the query parameter `fields` selects the fields of the response. */
  readonly picksFields?: boolean
  /** True when the handler reads the body from the socket itself, whatever its size. */
  readonly receivesBody?: boolean
  /** Headers of a successful JSON response, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Message of the 400 response for an invalid query or body. */
  readonly invalid?: string
}

/** Route without its handler, for the API description and for access checks. `path` has `:name` for each variable segment. */
export type RouteDeclaration = RouteDetails & { readonly method: RouteMethod; readonly path: string }

/** Route of the hub. `Parts` is the type of the services that its handler needs; the composition passes them. */
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
  /** Reads and validates the request body. Rejects with 400. A request that is rejected earlier leaves its body unread. */
  readonly body: () => Promise<Fields>
}

/** Makes all arrays and objects in a schema's type readonly. */
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
 * Defines a route such as `GET /api/systems/:system/events`. The route checks access, then the query, calls the handler, and turns its
 * value into a response. Every request goes through this function.
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
  const { access, query: querySchema, body, invalid, headers = {}, picksFields } = declared
  return {
    ...declared,
    method: method as RouteMethod, // by the type of `call`
    path,
    async respond(c, parts) {
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

/** Adds the routes to the app, in order. The first route that matches handles a request. */
export function mountRoutes<Parts>(app: Hono<RequestContext>, routes: readonly Route<Parts>[], parts: Parts): void {
  for (const { method, path, respond } of routes) {
    const handler = (c: Context<RequestContext>): Promise<Response> => respond(c, parts)
    if (method === 'ALL') app.all(path, handler)
    else app.on(method, path, handler)
  }
}

/**
 * Kind of session that a route requires. A session of `users` is a person's; one of `_superusers` or of the oldest clients is an
 * administrator's.
 */
export type Door = 'anyone' | 'signed in' | 'person' | 'admin' | 'person who is an admin' | 'oldest-generation admin'

/** Access to a route. `decidedBy` names a further check in the handler, such as an access rule or a token. */
export type RouteAccess = Door | { readonly door: Door; readonly decidedBy: string }

export type DoorOf<Access extends RouteAccess> = Access extends { readonly door: infer Inner } ? Inner : Access

/** Caller of a route as its handler sees it. Every door except `anyone` requires an account. */
export type Caller<Access extends RouteAccess> =
  DoorOf<Access> extends 'anyone' ? { readonly actor: Actor; readonly proof: Identified['proof'] | undefined } : Identified

export const doorOf = (access: RouteAccess): Door => (typeof access === 'string' ? access : access.door)

/** Checks that the caller may use a route and returns the caller. Throws 401 for a guest, and 403 for an account without access. */
export function admit<const Access extends RouteAccess>(c: Context<RequestContext>, access: Access): Caller<Access> {
  const known = identified(c)
  check(doorOf(access), known)
  return (known ?? { actor: c.var.actor, proof: c.var.proof }) as Caller<Access> // check() throws for a guest at every other door
}

function check(door: Door, known: Identified | undefined): void {
  if (door === 'anyone') return
  if (door === 'oldest-generation admin') {
    if (known?.proof.collection.viewOf === undefined) throw oldestGenerationOnly()
    return
  }
  if (known === undefined) throw signInFirst()
  if (door !== 'admin' && door !== 'signed in' && known.proof.collection.viewOf !== undefined) throw notAllowed()
  if ((door === 'admin' || door === 'person who is an admin') && !isAdmin(known.actor)) throw notAllowed()
}

export const notAllowed = (): RecordError => new RecordError(403, 'The authorized record is not allowed to perform this action.')

export const oldestGenerationOnly = (): RecordError =>
  new RecordError(401, 'The request requires valid admin authorization token to be set.')
