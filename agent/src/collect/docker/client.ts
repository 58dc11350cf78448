import { present } from '@vedette/protocol/wire/present'
import type { Loop } from '../../deadline.ts'
import type { ByteTools, HttpRequest } from '../../runtime.ts'
import { listAt, numberAt, parseJson, textAt, type Json } from '../../text/json.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import type { EngineFacts } from '../machine.ts'

export type EngineAddress = HttpRequest['to']

export type EngineAnswer = { readonly value: Json; readonly server: string }

/** What kind of engine answers: Podman speaks the same API but counts CPU differently. */
export type EngineKind = { readonly podman: boolean; readonly majorVersion: number | undefined }

/** GET requests to a container engine (Docker Engine API 1.24 and later, unversioned paths). Nothing else is ever asked. */
export type EngineClient = {
  /** Throws `SourceUnreadable`. A failed request is repeated once. */
  readonly get: (path: string) => Promise<EngineAnswer>
  /** Asked once, then remembered. */
  readonly kind: () => Promise<EngineKind>
  /** Facts of the machine; `undefined` when the engine does not answer. */
  readonly facts: () => Promise<EngineFacts | undefined>
}

/** An inspection or a long list is below this; a stats answer is 6 kB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

export function engineClient(loop: Loop, bytes: ByteTools, address: EngineAddress, timeoutMs: number): EngineClient {
  let kind: EngineKind | undefined

  const attempt = async (path: string): Promise<EngineAnswer> => {
    const end = await loop.fetch({
      to: address,
      method: 'GET',
      path,
      // Docker Desktop's proxy refuses clients that do not look like its own.
      headers: [
        ['Host', 'localhost'],
        ['User-Agent', 'Docker-Client/'],
      ],
      maxBytes: MAX_ANSWER_BYTES,
      deadlineMs: timeoutMs,
    })
    if (end.kind === 'failed') throw new SourceUnreadable(`Cannot ask the container engine for "${path}": ${end.reason}`)
    if (end.status !== 200) throw new SourceUnreadable(`Cannot ask the container engine for "${path}": it answered ${end.status}`)
    const value = parseJson(bytes.fromUtf8(end.body))
    if (value === undefined) throw new SourceUnreadable(`Cannot parse the container engine's answer to "${path}": it is not JSON`)
    return { value, server: end.headers.find(([name]) => name === 'server')?.[1] ?? '' }
  }

  const get = async (path: string): Promise<EngineAnswer> => {
    try {
      return await attempt(path)
    } catch {
      // Engines drop idle connections and restart; the second failure is the one that is told.
      return attempt(path)
    }
  }

  return {
    get,
    kind: async () => {
      kind ??= kindOf(await get('/version'))
      return kind
    },
    facts: async () => {
      try {
        const { value } = await get('/info')
        kind ??= kindOf(await get('/version'))
        return factsOf(value, kind.podman)
      } catch {
        // The machine's own files say the same; that the engine is silent is told by the container collector.
        return undefined
      }
    },
  }
}

export function kindOf({ value, server }: EngineAnswer): EngineKind {
  const podman =
    server.startsWith('Libpod') || listAt(value, 'Components').some((one) => textAt(one, 'Name')?.startsWith('Podman') === true)
  const major = /^(\d+)\./.exec(textAt(value, 'Version') ?? '')?.[1]
  return { podman, majorVersion: major === undefined ? undefined : Number(major) }
}

export const factsOf = (info: Json, podman: boolean): EngineFacts =>
  present<EngineFacts>({
    kernel: nonEmpty(textAt(info, 'KernelVersion')),
    osName: nonEmpty(textAt(info, 'OperatingSystem')),
    threads: positive(numberAt(info, 'NCPU')),
    totalMemoryBytes: positive(numberAt(info, 'MemTotal')),
    podman: podman ? true : undefined,
  })

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)
const positive = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? value : undefined)

/** `unix:///path`, `tcp://host:port`, `http://…` or `https://…`. */
export function parseEngineAddress(text: string): EngineAddress | undefined {
  const [, scheme, rest] = /^(unix|tcp|https?):\/\/(.+)$/.exec(text) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  if (scheme === 'unix') return rest.startsWith('/') ? { kind: 'unix', path: rest } : undefined
  return { kind: 'address', origin: `${scheme === 'tcp' ? 'http' : scheme}://${rest.replace(/\/+$/, '')}` }
}
