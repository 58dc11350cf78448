import type { Header } from '../../runtime/runtime.ts'
import { parseJson } from '../../text/json.ts'
import { engineClient, type EngineClient, type EngineParts } from './client.ts'
import { findEngine, USUAL_SOCKET, addressText, type EngineSetting } from './engine-address.ts'
import { inspectionText } from './inspection-text.ts'
import { formOf, logReader, type LogReader } from './log-frames.ts'
import { logText } from './log-text.ts'

/**
 * Functions that fetch the logs or the inspection (`docker inspect`) of one container from Docker or Podman, when a hub requests them. The
 * message of a rejection is sent to the hub.
 */
export type ContainerDetails = {
  /**
   * Resolves with the newest lines of a container's stdout and stderr in order of arrival, at most 200 lines and 5 MiB. Empty when
   * container monitoring is off. With `sinceSeconds` (epoch seconds; 0 for any time) only lines from then on, each with its timestamp in
   * front. Rejects with `ContainerDetailsFailed`.
   */
  readonly logs: (containerId: string, sinceSeconds?: number) => Promise<string>
  /**
   * Resolves with a container's inspection as JSON text; empty when container monitoring is off. Environment variables are removed, and
   * probable secrets are masked. Rejects with `ContainerDetailsFailed`, also for a response above 1 MiB.
   */
  readonly inspect: (containerId: string) => Promise<string>
}

/** Timeout in ms, 4,500, of a request to Docker or Podman. It is below the hub's own timeout of 5 s. */
const DEADLINE_MS = 4500

const MAX_LINES = 200
const MAX_LOG_BYTES = 5 * 1024 * 1024
/**
 * Size limit in bytes of the stream with a container's log, 5 MiB + 64 KiB: the log's limit plus space for the frame headers. The stream
 * ends there.
 */
const MAX_STREAM_BYTES = MAX_LOG_BYTES + 64 * 1024
const MAX_INSPECTION_BYTES = 1024 * 1024
const MAX_ERROR_BYTES = 1024

const CONTAINER_ID = /^[0-9a-fA-F]{12,64}$/

export function containerDetails(parts: EngineParts, setting: EngineSetting): ContainerDetails {
  const engine = engineClient(parts, () => findEngine(parts.runtime, setting), DEADLINE_MS)
  const fromUtf8 = parts.runtime.bytes.fromUtf8
  const ifRead = async (containerId: string, read: (id: string) => Promise<string>): Promise<string> => {
    if (!CONTAINER_ID.test(containerId)) throw new ContainerDetailsFailed('invalid container id')
    return setting.mode === 'off' ? '' : read(containerId)
  }
  return {
    logs: (containerId, sinceSeconds) => ifRead(containerId, (id) => readLogs(engine, fromUtf8, logPath(id, sinceSeconds))),
    inspect: (containerId) => ifRead(containerId, (id) => readInspection(engine, fromUtf8, id)),
  }
}

export class ContainerDetailsFailed extends Error {
  override readonly name = 'ContainerDetailsFailed'
}

type Decode = (bytes: Uint8Array) => string

/**
 * Returns the request path of a container's logs, the newest 200 lines; Docker Engine API 1.24, GET /containers/{id}/logs. With
 * `sinceSeconds` (epoch seconds, inclusive) only lines from then on, each with its timestamp; 0 means any time.
 */
function logPath(id: string, sinceSeconds: number | undefined): string {
  const path = `/containers/${id}/logs?stderr=1&stdout=1&tail=${MAX_LINES}`
  if (sinceSeconds === undefined) return path
  return `${path}&timestamps=1${sinceSeconds > 0 ? `&since=${sinceSeconds}` : ''}`
}

async function readLogs(engine: EngineClient, fromUtf8: Decode, path: string): Promise<string> {
  let status = 0
  let reader: LogReader | undefined
  let problem: string | undefined
  const end = await engine.getPieces(
    path,
    { maxBytes: MAX_STREAM_BYTES },
    {
      onHead: (code, headers) => {
        status = code
        reader = status === 200 ? logReader(formOf(headerOf(headers, 'content-type')), MAX_LOG_BYTES) : logReader('raw', MAX_ERROR_BYTES)
      },
      onPiece: (piece) => {
        problem = reader?.read(piece)
      },
    },
  )
  const bytes = reader?.bytes() ?? new Uint8Array()
  if (problem !== undefined) throw new ContainerDetailsFailed(problem)
  // Log lines that arrived before the failure are still returned.
  if (end.kind === 'failed' && (status !== 200 || bytes.length === 0)) throw new ContainerDetailsFailed(dialText(engine, path, end.reason))
  if (status !== 200) throw new ContainerDetailsFailed(`logs request failed: ${statusText(status)}: ${fromUtf8(bytes).trim()}`)
  return logText(fromUtf8(bytes), MAX_LINES)
}

async function readInspection(engine: EngineClient, fromUtf8: Decode, id: string): Promise<string> {
  const path = `/containers/${id}/json`
  const end = await engine.getWhole(path, MAX_INSPECTION_BYTES)
  if (end.kind === 'failed') throw new ContainerDetailsFailed(dialText(engine, path, end.reason))
  if (end.status !== 200) {
    const body = fromUtf8(end.body.subarray(0, MAX_ERROR_BYTES)).trim()
    throw new ContainerDetailsFailed(`container info request failed: ${statusText(end.status)}: ${body}`)
  }
  const inspection = parseJson(fromUtf8(end.body))
  if (inspection === undefined) throw new ContainerDetailsFailed('Cannot parse the inspection of the container: it is not JSON')
  return inspectionText(inspection)
}

const headerOf = (headers: readonly Header[], wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1]

const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
])

/** Returns an HTTP status with its name (RFC 9110 section 15), such as `404 Not Found`; the number alone for an unknown one. */
const statusText = (status: number): string => `${status} ${reasons.get(status) ?? ''}`.trimEnd()

const causes: readonly (readonly [RegExp, string])[] = [
  [/ENOENT/, 'no such file or directory'],
  [/ECONNREFUSED/, 'connection refused'],
  [/EACCES/, 'permission denied'],
]

/**
 * Returns the error text that a hub gets when the request for `path` could not reach Docker or Podman for this reason. Existing dashboards
 * recognise its wording, so it must not change.
 */
function dialText(engine: EngineClient, path: string, reason: string): string {
  const cause = causes.find(([pattern]) => pattern.test(reason))?.[1]
  const address = engine.address()
  const [network, where] = address?.kind === 'address' ? ['tcp', addressText(address)] : ['unix', address?.path ?? USUAL_SOCKET]
  return `Get "http://localhost${path}": ${cause === undefined ? reason : `dial ${network} ${where}: connect: ${cause}`}`
}
