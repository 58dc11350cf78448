import type { HttpEnd, Loop, PiecesEnd } from '../../runtime/deadline.ts'
import type { Bytes, Header, HttpRequest, MembersAnswer, MembersRequest, Runtime } from '../../runtime/runtime.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { listAt, parseJson, textAt, type Json } from '../../text/json.ts'
import { USUAL_SOCKET, type EngineAddress } from './engine-address.ts'

export type EngineAnswer = { readonly value: Json; readonly headers: readonly Header[] }
export type EngineBody = { readonly body: Bytes; readonly headers: readonly Header[] }

/**
 * Kind of the container engine: `podman` is true for Podman, false for Docker; `majorVersion` is `undefined` when unknown. Both have one
 * API but count CPU differently.
 */
export type EngineKind = { readonly podman: boolean; readonly majorVersion: number | undefined }

export type ResponseListener = {
  readonly onHead: (status: number, headers: readonly Header[]) => void
  readonly onPiece: (data: Bytes) => void
}

/**
 * Limits of one response of Docker or Podman: maximum size in bytes, and timeout in ms. Without `deadlineMs`, the client's default timeout
 * applies.
 */
export type AnswerLimits = { readonly maxBytes: number; readonly deadlineMs?: number }

export type WantedMembers = Pick<MembersRequest, 'members' | 'atOnce' | 'totalMs'>

/** Client for Docker or Podman (Docker Engine API 1.24 and later, unversioned paths). It sends only GET requests. */
export type EngineClient = {
  /**
   * Function that returns the address (unix socket or URL) at which Docker or Podman is reached. It is the configured one, else the first
   * usual socket that exists now; `undefined` when there is none.
   */
  readonly address: () => EngineAddress | undefined
  /**
   * Sends a GET request to Docker or Podman and resolves with the response as parsed JSON. A failure or a status of 500 and above within
   * half the timeout is retried once. Rejects with `SourceUnreadable` for a failure, a status other than 200, or a body that is not JSON.
   */
  readonly get: (path: string) => Promise<EngineAnswer>
  /**
   * Sends a GET request to Docker or Podman and resolves with the unparsed response body and headers. A failure or a status of 500 and
   * above within half the timeout is retried once. Rejects with `SourceUnreadable` for a failure or a status other than 200.
   */
  readonly getBody: (path: string) => Promise<EngineBody>
  /**
   * Sends one GET request for each path and resolves with a list of results in that order: the JSON members in `wanted`, or a failure.
   * Failures and statuses of 500 and above within half the timeout are retried once. Never rejects.
   */
  readonly getMembers: (paths: readonly string[], wanted: WantedMembers) => Promise<readonly MembersAnswer[]>
  /**
   * Sends a GET request to Docker or Podman and passes the response body to `listener` in chunks. Resolves with how it ended: complete, cut
   * at a limit, or failed. Never retried.
   */
  readonly getPieces: (path: string, limits: AnswerLimits, listener: ResponseListener) => Promise<PiecesEnd>
  /**
   * Sends a GET request and resolves with the complete response of any HTTP status, or with a failure if its body is longer than
   * `maxBytes`. Never retried and never rejects.
   */
  readonly getWhole: (path: string, maxBytes: number) => Promise<HttpEnd>
  /**
   * Returns the cached kind of engine (Docker or Podman, major version); `undefined` when none is cached or it has expired. Sends no
   * request.
   */
  readonly knownKind: () => EngineKind | undefined
  /**
   * Function that resolves with the kind of engine: Docker or Podman, and its major version. The result is cached for 10 min. A status
   * other than 200 counts as a current Docker; rejects with `SourceUnreadable` when the engine does not respond.
   */
  readonly kind: () => Promise<EngineKind>
}

/**
 * Size limit in bytes, 16 MiB, of one response of Docker or Podman; a longer one counts as failed. It is above that of a long container
 * list.
 */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/**
 * Size limit in bytes, 1 MiB, of each response of `getMembers`; a longer one counts as failed. Inspections are smaller, and a stats
 * response has about 6 kB.
 */
const MAX_MEMBERS_ANSWER_BYTES = 1024 * 1024

// Docker Desktop's proxy refuses clients that do not look like its own.
const headers: readonly Header[] = [
  ['Host', 'localhost'],
  ['User-Agent', 'Docker-Client/'],
]

const KIND_KEPT_MS = 10 * 60_000

/** Kind of engine that is assumed when a proxy refuses `/version`: a current Docker. */
const unknownKind: EngineKind = { podman: false, majorVersion: undefined }

export type EngineParts = { readonly runtime: Runtime; readonly loop: Loop }

export function engineClient({ runtime, loop }: EngineParts, find: () => EngineAddress | undefined, timeoutMs: number): EngineClient {
  let known: { readonly kind: EngineKind; readonly askedAtMs: number } | undefined
  const now = (): number => runtime.clock().monotonicMs

  const knownKind = (): EngineKind | undefined => (known !== undefined && now() - known.askedAtMs < KIND_KEPT_MS ? known.kind : undefined)

  const target = (): EngineAddress => find() ?? { kind: 'unix', path: USUAL_SOCKET }

  const request = (path: string, maxBytes: number): HttpRequest => ({
    to: target(),
    method: 'GET',
    path,
    headers,
    maxBytes,
    deadlineMs: timeoutMs,
  })

  const attempt = async (path: string): Promise<EngineBody> => {
    const end = await loop.fetch(request(path, MAX_ANSWER_BYTES))
    if (end.kind === 'failed') {
      known = undefined
      throw new SourceUnreadable(`Cannot ask the container engine for "${path}": ${end.reason}`)
    }
    if (end.status !== 200) throw new EngineRefused(path, end.status)
    return end
  }

  const getBody = async (path: string): Promise<EngineBody> => {
    const askedAtMs = now()
    try {
      return await attempt(path)
    } catch (error) {
      // Engines drop idle connections and restart, so a failure is retried once. A slow failure would use up the time of the other
      // requests, and a 4xx response would come again.
      const wasRefused = error instanceof EngineRefused && error.status < 500
      if (wasRefused || now() - askedAtMs > timeoutMs / 2) throw error
      return attempt(path)
    }
  }

  const getMembers = async (paths: readonly string[], wanted: WantedMembers): Promise<readonly MembersAnswer[]> => {
    const askedAtMs = now()
    const ask = (some: readonly string[], totalMs: number): Promise<readonly MembersAnswer[]> =>
      loop.fetchMembers({
        ...wanted,
        to: target(),
        headers,
        paths: some,
        maxBytes: MAX_MEMBERS_ANSWER_BYTES,
        deadlineMs: timeoutMs,
        totalMs,
      })
    // The retry rule is that of `getBody`.
    const isAskedAgain = (answer: MembersAnswer): boolean =>
      (answer.kind === 'failed' || (answer.kind === 'refused' && answer.status >= 500)) && answer.endedAtMs - askedAtMs <= timeoutMs / 2

    const answers = await ask(paths, wanted.totalMs)
    if (!answers.some(isAskedAgain)) return answers
    const failed = paths.filter((_, place) => answers[place] !== undefined && isAskedAgain(answers[place]))
    const again = (await ask(failed, wanted.totalMs - (now() - askedAtMs))).values()
    return answers.map((answer) => (isAskedAgain(answer) ? (again.next().value ?? answer) : answer))
  }

  const get = async (path: string): Promise<EngineAnswer> => {
    const { body, headers } = await getBody(path)
    return { value: parseAnswer(path, runtime.bytes.fromUtf8(body)), headers }
  }

  return {
    address: find,
    get,
    getBody,
    getMembers,
    getPieces: (path, { maxBytes, deadlineMs = timeoutMs }, { onHead, onPiece }) =>
      loop.fetchPieces({ ...request(path, maxBytes), deadlineMs }, { onHead: ({ status, headers }) => onHead(status, headers), onPiece }),
    getWhole: (path, maxBytes) => loop.fetch(request(path, maxBytes)),
    knownKind,
    kind: async () => {
      const kept = knownKind()
      if (kept !== undefined) return kept
      try {
        known = { kind: kindOf(await get('/version')), askedAtMs: now() }
      } catch (error) {
        if (!(error instanceof EngineRefused)) throw error
        known = { kind: unknownKind, askedAtMs: now() }
      }
      return known.kind
    },
  }
}

/**
 * Parses the response body for the request `path` to Docker or Podman as JSON and returns its value. Throws `SourceUnreadable` when it is
 * not JSON.
 */
export function parseAnswer(path: string, text: string): Json {
  const value = parseJson(text)
  if (value === undefined) throw new SourceUnreadable(`Cannot parse the container engine's answer to "${path}": it is not JSON`)
  return value
}

/** Error for a response of Docker or Podman with a status other than 200; `status` has the HTTP status. */
export class EngineRefused extends SourceUnreadable {
  readonly status: number
  constructor(path: string, status: number) {
    super(`Cannot ask the container engine for "${path}": it answered ${status}`)
    this.status = status
  }
}

export function kindOf({ value, headers }: EngineAnswer): EngineKind {
  const server = headers.find(([name]) => name === 'server')?.[1] ?? ''
  const podman =
    server.startsWith('Libpod') || listAt(value, 'Components').some((one) => textAt(one, 'Name')?.startsWith('Podman') === true)
  const major = /^(\d+)\./.exec(textAt(value, 'Version') ?? '')?.[1]
  return { podman, majorVersion: major === undefined ? undefined : Number(major) }
}
