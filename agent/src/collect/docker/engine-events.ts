import type { ContainerEvent } from '@vedette/protocol/metrics/sample'
import { memberAt, numberAt, parseJson, textAt, type Json } from '../../text/json.ts'
import { longName } from '../../text/long-name.ts'

/** Event from the Docker Engine API, `GET /events`: a container ended, or the kernel killed one of its processes to free memory. */
export type EngineEvent = {
  /** First 12 hexadecimal digits of the id of the container that the event is about. */
  readonly id: string
  readonly name: string
  readonly atMs: number
  readonly kind: 'ended' | 'out of memory'
  /** Exit code of an ended container; absent when Docker or Podman does not send it. */
  readonly exitCode?: number
}

/**
 * Parses the response of `GET /events`, one JSON object per line, to a list. Lines that are no end or out-of-memory kill of a container are
 * left out.
 */
export const engineEvents = (text: string): readonly EngineEvent[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : engineEvent(parseJson(line))))

function engineEvent(event: Json | undefined): readonly EngineEvent[] {
  const actor = memberAt(event, 'Actor')
  const id = (textAt(actor, 'ID') ?? '').slice(0, 12)
  const name = longName(textAt(actor, 'Attributes', 'name') ?? '')
  const atMs = Math.trunc((numberAt(event, 'timeNano') ?? 0) / 1_000_000)
  if (!ID.test(id) || name === '' || atMs <= 0) return []
  const action = textAt(event, 'Action')
  if (action === 'oom') return [{ id, name, atMs, kind: 'out of memory' }]
  if (action !== 'die' && action !== 'died') return []
  // Podman's own name for it comes second.
  const exitCode = exitCodeOf(memberAt(actor, 'Attributes', 'exitCode') ?? memberAt(actor, 'Attributes', 'containerExitCode'))
  return [exitCode === undefined ? { id, name, atMs, kind: 'ended' } : { id, name, atMs, kind: 'ended', exitCode }]
}

const ID = /^[0-9a-f]{12}$/

/** Returns a container's exit code as a number, from a number or a text as in Docker events. `undefined` when it is not a valid code. */
export function exitCodeOf(value: unknown): number | undefined {
  const code = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof code === 'number' && Number.isInteger(code) && code >= 0 && code <= MAX_CODE ? code : undefined
}

/** Highest valid exit code of a container: Linux uses up to 255, Windows containers 32 bits. A larger code counts as unknown. */
const MAX_CODE = 0xffff_ffff

/** Exit code of a process that SIGKILL ended, 137 (128 + 9), as when the kernel frees memory. */
const KILLED = 137
/**
 * Maximum time in ms, 10 s, between Docker's reports of an out-of-memory kill and of the end by SIGKILL that it causes. Closer ones become
 * one event.
 */
const SAME_KILL_MS = 10_000

/**
 * Merges Docker's events of one time range into the events to report, oldest first. An out-of-memory kill and the end by SIGKILL within 10
 * s after it become one event. Several kills in a container before its end become one, with the time of the first.
 */
export function joinedEvents(events: readonly EngineEvent[]): readonly ContainerEvent[] {
  const joined: ContainerEvent[] = []
  const kills = new Map<string, EngineEvent>()
  const last = new Map<string, number>()
  const flush = (id: string): void => {
    const kill = kills.get(id)
    if (kill !== undefined) joined.push({ atMs: kill.atMs, container: kill.name, outOfMemory: true })
    kills.delete(id)
  }
  for (const event of events.toSorted((a, b) => a.atMs - b.atMs)) {
    const { id, name, atMs, kind, exitCode } = event
    if (kind === 'out of memory') {
      if (!kills.has(id)) kills.set(id, event)
      last.set(id, atMs)
      continue
    }
    const outOfMemory = exitCode === KILLED && kills.has(id) && atMs - (last.get(id) ?? 0) <= SAME_KILL_MS
    if (outOfMemory) kills.delete(id)
    else flush(id)
    joined.push({ atMs, container: name, outOfMemory, ...(exitCode === undefined ? {} : { exitCode }) })
  }
  for (const id of kills.keys()) flush(id)
  return joined.toSorted((a, b) => a.atMs - b.atMs)
}
