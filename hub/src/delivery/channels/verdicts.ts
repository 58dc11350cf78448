import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import type { ChannelAnswer, ChannelRequest, Talk, Tried, Verdict } from './channel.ts'

const LONGEST_WORDS = 500

/** What a provider said about a message it did not take, from its answer; undefined when there is nothing in it for people. */
export type WordsOf = (body: JsonObject, text: string) => Json | undefined

/**
 * By the status (RFC 9110 15, RFC 6585): taken, worth another try (too early, too many, the server's own trouble), or not. A redirect is
 * not followed: it may lead where the hub must not ask, and the address can be put right.
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

/** To be tried again, not before the time that the provider named. */
export const later = (said: string, afterMs?: number): Tried =>
  afterMs === undefined ? { outcome: 'later', said } : { outcome: 'later', said, afterMs }

/** An answer's JSON; an empty object where there is none. */
export function bodyOf(answer: ChannelAnswer): JsonObject {
  if ('failure' in answer) return {}
  try {
    const body = parseJson(answer.text)
    return isJsonObject(body) ? body : {}
  } catch {
    return {}
  }
}

/** Words for people: one line, at most 500 characters. */
export function cleanWords(words: Json | undefined): string {
  const text = typeof words === 'string' || typeof words === 'number' ? String(words) : ''
  return text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS)
}

/** A time from now that a provider names in seconds; undefined when it names none, or one that cannot be. */
export function secondsAsMs(seconds: Json | undefined): number | undefined {
  const value = typeof seconds === 'string' ? Number(seconds) : seconds
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value * 1000) : undefined
}

/** A talk of one request. */
export function* tellOnce(request: ChannelRequest, judge: (answer: ChannelAnswer) => Tried): Talk {
  return { ...judge(yield request), reached: [] }
}

/**
 * A talk with several destinations: one that does not take it keeps none of the others from it, and the next try leaves out who has it.
 * As long as one of them is worth another try the message is.
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

/** A talk that ends before its first request. */
export const unreached = (tried: Tried, reached: readonly string[]): Verdict => ({ ...tried, reached })
