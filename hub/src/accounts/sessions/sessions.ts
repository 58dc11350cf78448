import { sql } from 'kysely'
import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { isSameSecret } from '../../platform/secrets/same-secret.ts'

/** Session of a user, as the hub lists it to that user. Times are epoch ms. */
export type OwnSession = {
  readonly id: string
  /** Name of the collection through which the user signed in to this session: `users` or `_superusers`. */
  readonly collection: string
  readonly startedMs: number
  /** Time of the last renewal of the session (it got a new token), in epoch ms; of its start before the first renewal. */
  readonly renewedMs: number
  readonly expiresMs: number
  readonly address: string
  readonly browser: string
  /** Email address of the admin who acts as the user in this session; `''` for a session that the user began. */
  readonly by: string
  /** True for the user's current session: the one whose token sent the request for the list of sessions. */
  readonly current: boolean
}

export type NewToken = {
  readonly token: string
  readonly account: string
  readonly collection: string
  readonly expiresMs: number
  readonly address: string
  readonly browser: string
  readonly by?: string
  /**
   * In a new token of a renewed session: the session's previous token, so that both belong to one session. Absent for the first token of a
   * session.
   */
  readonly after?: string
  /**
   * Time of the sign-in with which a new session begins, in epoch ms; `undefined` if unknown. Ignored when a session is renewed: the
   * session keeps its earlier time of sign-in.
   */
  readonly signedInMs?: number | undefined
}

export type Sessions = {
  /**
   * Stores a new session token, so that users see its session in their list and can end it. Resolves to false if the token exists already,
   * because another hub created it in the same second.
   */
  readonly remember: (token: NewToken) => Promise<boolean>
  /** Resolves to the time of the sign-in with which the session of this token began, in epoch ms. `undefined` if it is unknown. */
  readonly signedInMs: (token: string) => Promise<number | undefined>
  /**
   * Returns true if the session of this token was ended (revoked) before its expiry, on any hub of the database. It looks in memory,
   * without a query.
   */
  readonly hasEnded: (token: string) => boolean
  readonly list: (account: string, current: string) => Promise<readonly OwnSession[]>
  /** Ends a session: its tokens become invalid and its event streams close. Resolves to false if the account has no such session. */
  readonly end: (account: string, session: string) => Promise<boolean>
  /**
   * Sets the function that is called when a session ends; it replaces an earlier one. It receives the set of keys ({@link sessionKey}) of
   * all tokens of that session.
   */
  readonly onEnd: (listener: (keys: ReadonlySet<string>) => void) => void
  readonly close: () => void
}

/**
 * Collection name of the event by which all hubs learn that a session ended. The event's record has the session's id and the `digests` of
 * its tokens.
 */
export const SESSION_TOKENS = 'session_tokens'

const endedSchema = z.object({ digests: z.array(z.string()) })

/** Returns the key under which a token is stored: the first 32 hex digits of its SHA-256, which do not reveal the token. */
export const sessionKey = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, KEY_LENGTH)

const KEY_LENGTH = 32
const LONGEST_BROWSER = 200
/**
 * Maximum number of stored session tokens per account: 200. Older tokens leave the account's list of sessions, but stay valid until they
 * expire.
 */
const MOST_REMEMBERED = 200
const MOST_SHOWN = 100

type SessionParts = { readonly database: Database; readonly clock: Clock; readonly bus: EventBus }

/**
 * Creates the functions that store, list and end sessions, by their tokens in the database. Ended sessions, of any hub, are also cached in
 * memory, so that requests need no query.
 */
export async function openSessions({ database, clock, bus }: SessionParts): Promise<Sessions> {
  const ended = new Set<string>()
  let notify: (keys: ReadonlySet<string>) => void = () => {}
  const close = bus.subscribe([SESSION_TOKENS], ({ record }) => {
    const { digests = [] } = endedSchema.safeParse(record).data ?? {}
    for (const digest of digests) ended.add(digest)
    notify(new Set(digests))
  })
  const rows = await database.kysely
    .selectFrom('session_tokens')
    .select('digest')
    .where('ended', '=', 1)
    .where('expires', '>', clock.now())
    .execute()
  for (const { digest } of rows) ended.add(digest)

  return {
    async remember({ token, account, collection, expiresMs, address, browser, by = '', after, signedInMs }) {
      return database.write(async (unit) => {
        const before =
          after === undefined
            ? undefined
            : await unit.sql
                .selectFrom('session_tokens')
                .select(['session', 'signedIn'])
                .where('digest', '=', sessionKey(after))
                .executeTakeFirst()
        const signedIn = (after === undefined ? signedInMs : before?.signedIn) ?? null
        const row = { digest: sessionKey(token), session: before?.session ?? randomId(15), account, collection, at: clock.now() }
        const { numInsertedOrUpdatedRows: inserted = 0n } = await unit.sql
          .insertInto('session_tokens')
          .values({ ...row, expires: expiresMs, address, browser: browser.slice(0, LONGEST_BROWSER), by, ended: 0, signedIn })
          .onConflict((conflict) => conflict.column('digest').doNothing())
          .executeTakeFirst()
        if (inserted === 0n) return false
        await unit.sql.deleteFrom('session_tokens').where('account', '=', account).where('expires', '<=', clock.now()).execute()
        await sql`delete from session_tokens where account = ${account} and ended = 0 and digest not in
          (select digest from session_tokens where account = ${account} order by at desc, digest limit ${MOST_REMEMBERED})`.execute(
          unit.sql,
        )
        return true
      }, 'process')
    },

    async signedInMs(token) {
      const rows = database.kysely.selectFrom('session_tokens').select('signedIn').where('digest', '=', sessionKey(token))
      return (await rows.executeTakeFirst())?.signedIn ?? undefined
    },

    hasEnded: (token) => ended.size > 0 && ended.has(sessionKey(token)),

    async list(account, current) {
      const found = await database.kysely
        .selectFrom('session_tokens')
        .selectAll()
        .where('account', '=', account)
        .where('ended', '=', 0)
        .where('expires', '>', clock.now())
        .orderBy('at', 'desc')
        .orderBy('digest')
        .execute()
      const key = sessionKey(current)
      return [...Map.groupBy(found, ({ session }) => session)].slice(0, MOST_SHOWN).flatMap(([id, tokens]) => {
        const [newest, oldest] = [tokens[0], tokens.at(-1)]
        if (newest === undefined || oldest === undefined) return []
        const { collection, address, browser, by, at: renewedMs, expires: expiresMs } = newest
        const isCurrent = tokens.some(({ digest }) => digest === key)
        return [{ id, collection, startedMs: oldest.at, renewedMs, expiresMs, address, browser, by, current: isCurrent }]
      })
    },

    async end(account, session) {
      return database.write(async (unit) => {
        const tokens = await unit.sql
          .selectFrom('session_tokens')
          .select('digest')
          .where('account', '=', account)
          .where('session', '=', session)
          .where('ended', '=', 0)
          .execute()
        await unit.sql
          .updateTable('session_tokens')
          .set({ ended: 1 })
          .where('account', '=', account)
          .where('session', '=', session)
          .execute()
        if (tokens.length === 0) return false
        const digests = tokens.map(({ digest }) => digest)
        unit.emit({ action: 'update', collection: SESSION_TOKENS, record: { id: session, digests } })
        return true
      })
    },

    onEnd(listener) {
      notify = listener
    },
    close,
  }
}

const common = { id: z.string().min(1), exp: z.number() }
/**
 * Schema of a token's claims; `exp` is in epoch seconds. `type` is `auth` (session of a collection), `admin` (session of PocketBase's
 * former admin API) or `file` (download of files).
 */
const claimsSchema = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('auth'),
    collectionId: z.string(),
    refreshable: z.boolean().default(true),
  }),
  z.object({ ...common, type: z.literal('file'), collectionId: z.string() }),
  z.object({ ...common, type: z.literal('admin') }),
])
export type TokenClaims = Readonly<z.infer<typeof claimsSchema>>

const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')
const LONGEST = 2048

/** Creates a session token or a file token, a JSON Web Token signed with `key`. */
export const signToken = (claims: TokenClaims, key: string): string => signJson(claims, key)

/**
 * Creates a JSON Web Token (RFC 7519) with HS256. Clients decode the payload as plain base64, so it is escaped to ASCII without `~`, `?`
 * and `>`: its base64url has no `-` or `_`.
 */
export function signJson(claims: object, key: string): string {
  const ascii = JSON.stringify(claims).replaceAll(
    /[^\u0020-\u003d\u0040-\u007d]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const payload = Buffer.from(ascii).toString('base64url')
  return `${HEADER}.${payload}.${signature(`${HEADER}.${payload}`, key)}`
}

/** Reads the claims of a session or file token without verifying its signature. `undefined` if the text is no such token. */
export function readClaims(token: string): TokenClaims | undefined {
  return claimsSchema.safeParse(readJson(token)).data
}

/**
 * Reads the JSON payload of a JSON Web Token without verifying its signature. `undefined` for other text, for another header than that of
 * `signJson`, and for more than 2,048 characters.
 */
export function readJson(token: string): unknown {
  const [header, payload, , rest] = token.length > LONGEST ? [] : token.split('.')
  if (header !== HEADER || payload === undefined || rest !== undefined) return undefined
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    // The caller continues as a guest.
    return undefined
  }
}

/**
 * Returns true if the signature of a JSON Web Token was made with the key. Signatures are compared as text, because decoders accept several
 * texts for one signature; another text would revive an ended session.
 */
export function isSignedWith(token: string, key: string): boolean {
  const end = token.lastIndexOf('.')
  return isSameSecret(token.slice(end + 1), signature(token.slice(0, end), key))
}

function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
