import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import type { ChannelAnswer, ChannelRequest, Talk, Tried, Verdict } from './channel.ts'

const LONGEST_WORDS = 500

/** Extracts the provider's error text from a response; undefined if it contains none for people. */
export type WordsOf = (body: JsonObject, text: string) => Json | undefined

/**
 * Outcome by status code (RFC 9110 15, RFC 6585): delivered, retry (408, 425, 429, 5xx) or refused. Redirects are not followed: they may
 * lead to an internal address, and the owner can correct the address.
 */
export function judgeByStatus(answer: ChannelAnswer, wordsOf: WordsOf = () => undefined): Tried {
  if ('failure' in answer) return { outcome: 'later', said: answer.failure }
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  const words = cleanWords(wordsOf(bodyOf(answer), answer.text))
  const said = `the server answered with status ${status}${words === '' ? '' : `: ${words}`}`
  return isWorthAnotherTry(status) ? later(said, retryAfterMs) : { outcome: 'refused', said }
}

const isWorthAnotherTry = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/** The outcome "retry", not before the time that the provider named. */
export const later = (said: string, afterMs?: number): Tried =>
  afterMs === undefined ? { outcome: 'later', said } : { outcome: 'later', said, afterMs }

/** The response's JSON object; empty if there is none. */
export function bodyOf(answer: ChannelAnswer): JsonObject {
  if ('failure' in answer) return {}
  try {
    const body = parseJson(answer.text)
    return isJsonObject(body) ? body : {}
  } catch {
    return {}
  }
}

/** Text for people: one line, at most 500 characters. */
export function cleanWords(words: Json | undefined): string {
  const text = typeof words === 'string' || typeof words === 'number' ? String(words) : ''
  return text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS)
}

/** Converts a provider's delay from seconds to ms; undefined if absent or invalid. */
export function secondsAsMs(seconds: Json | undefined): number | undefined {
  const value = typeof seconds === 'string' ? Number(seconds) : seconds
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value * 1000) : undefined
}

/** Sends one request, and judges its response. */
export function* tellOnce(request: ChannelRequest, judge: (answer: ChannelAnswer) => Tried): Talk {
  return { ...judge(yield request), reached: [] }
}

/**
 * Sends to several destinations. A failure does not stop the others, and the next attempt skips those that were reached. The outcome is
 * "retry" while one destination allows it.
 */
export function* tellEach<One>(
  destinations: readonly (readonly [name: string, destination: One])[],
  before: readonly string[],
  tell: (destination: One) => Talk<Tried>,
): Talk {
  const reached = [...before]
  const problems: Exclude<Tried, { readonly outcome: 'delivered' }>[] = []
  for (const [name, destination] of destinations) {
    if (reached.includes(name)) continue
    const tried = yield* tell(destination)
    if (tried.outcome === 'delivered') reached.push(name)
    else problems.push(destinations.length === 1 ? tried : { ...tried, said: `${name}: ${tried.said}` })
  }
  return { ...worst(problems), reached }
}

function worst(problems: readonly Exclude<Tried, { readonly outcome: 'delivered' }>[]): Tried {
  const [first] = problems
  if (first === undefined) return { outcome: 'delivered' }
  const said = problems.map((problem) => problem.said).join('; ')
  const open = problems.flatMap((problem) => (problem.outcome === 'later' ? [problem] : []))
  if (open.length === 0) return { outcome: 'refused', said }
  const waits = open.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs]))
  return later(said, waits.length === 0 ? undefined : Math.max(...waits))
}

/** Outcome of an attempt that stopped before any destination received the message. */
export const unreached = (tried: Tried, reached: readonly string[]): Verdict => ({ ...tried, reached })
