import type { HttpEnd, Loop, PiecesEnd } from '../../deadline.ts'
import type { Bytes, Header, HttpRequest, MembersAnswer, MembersRequest, Runtime } from '../../runtime.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { listAt, parseJson, textAt, type Json } from '../../text/json.ts'
import { USUAL_SOCKET, type EngineAddress } from './engine-address.ts'

export type EngineAnswer = { readonly value: Json; readonly headers: readonly Header[] }
export type EngineBody = { readonly body: Bytes; readonly headers: readonly Header[] }

/** What kind of engine answers: Podman speaks the same API but counts CPU differently. */
export type EngineKind = { readonly podman: boolean; readonly majorVersion: number | undefined }

export type HeardAnswer = {
  readonly onHead: (status: number, headers: readonly Header[]) => void
  readonly onPiece: (data: Bytes) => void
}

/** Without a deadline of its own an answer has the client's. */
export type AnswerLimits = { readonly maxBytes: number; readonly deadlineMs?: number }

export type WantedMembers = Pick<MembersRequest, 'members' | 'atOnce' | 'totalMs'>

/** GET requests to a container engine (Docker Engine API 1.24 and later, unversioned paths). Nothing else is ever asked. */
export type EngineClient = {
  /** Where it is; `undefined` when there is none. */
  readonly address: () => EngineAddress | undefined
  /** Throws `SourceUnreadable`. What fails at once is repeated once. */
  readonly get: (path: string) => Promise<EngineAnswer>
  /** The same, not yet taken apart. */
  readonly getBody: (path: string) => Promise<EngineBody>
  /** Only some members of many answers, in the order of the paths, as `MembersRequest` names them. What fails at once is asked for once more. */
  readonly getMembers: (paths: readonly string[], wanted: WantedMembers) => Promise<readonly MembersAnswer[]>
  /** The answer in pieces, within the limits; never repeated. */
  readonly getPieces: (path: string, limits: AnswerLimits, heard: HeardAnswer) => Promise<PiecesEnd>
  /** One answer as it is. */
  readonly getWhole: (path: string, maxBytes: number) => Promise<HttpEnd>
  /** Where it need not be asked. */
  readonly knownKind: () => EngineKind | undefined
  /** Asked again now and then: engines are upgraded and replaced. */
  readonly kind: () => Promise<EngineKind>
}

/** A long list is below this. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** An inspection is below this; a stats answer is 6 kB. */
const MAX_MEMBERS_ANSWER_BYTES = 1024 * 1024

// Docker Desktop's proxy refuses clients that do not look like its own.
const headers: readonly Header[] = [
  ['Host', 'localhost'],
  ['User-Agent', 'Docker-Client/'],
]

const KIND_KEPT_MS = 10 * 60_000

/** An engine whose version cannot be asked, as behind some proxies, is asked as engines of today are. */
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
      // Engines drop idle connections and restart; the second failure is the one that is told. One that took its time to
      // fail would cost the others theirs, and a refusal stays one.
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
    // As above.
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

/** Throws `SourceUnreadable`. */
export function parseAnswer(path: string, text: string): Json {
  const value = parseJson(text)
  if (value === undefined) throw new SourceUnreadable(`Cannot parse the container engine's answer to "${path}": it is not JSON`)
  return value
}

/** The engine answered, but with another status than 200. */
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
