import { underscoredHeaders } from '../filter/filter-names.ts'
import { z } from 'zod'
import { badRequest } from '../model/record-error.ts'

/** Parsed topic of a realtime subscription: `systems/*`, `systems/ID`, or a custom topic of the hub. */
export type Topic = {
  /** Topic text as the client sent it, such as `systems/*?options={…}`; it is also the event name that the client receives. */
  readonly text: string
  /** Part of a realtime topic such as `systems/*` before the first slash: the name of a collection or of a custom topic. */
  readonly name: string
  /** Text of a realtime topic such as `systems/*` after the first slash, such as a record id; `*` when there is no slash. */
  readonly rest: string
  readonly query: { readonly [name: string]: string }
  readonly headers: { readonly [name: string]: string }
}

const options = z.object({
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
})

const MOST_TOPICS = 1000
const LONGEST_TOPIC = 2500

/**
 * Parses the topics of a subscription request to a list; empty ones are left out. Throws 400 for over 1,000 topics or one of over 2,500
 * characters.
 */
export function parseTopics(all: readonly string[]): readonly Topic[] {
  refuseTooMany(all)
  return all.filter((text) => text !== '').map(parseTopic)
}

/** Parses one realtime topic such as `systems/*?options={…}`. `options` is JSON with query and headers; an invalid one is ignored. */
function parseTopic(text: string): Topic {
  const [path = '', search] = text.split('?', 2)
  const slash = path.indexOf('/')
  const name = slash < 0 ? path : path.slice(0, slash)
  const rest = slash < 0 ? '*' : path.slice(slash + 1)
  const { query = {}, headers = {} } = search === undefined ? {} : readOptions(search)
  return { text, name, rest, query: texts(query), headers: underscoredHeaders(texts(headers)) }
}

function readOptions(search: string): z.infer<typeof options> {
  try {
    return options.parse(JSON.parse(new URLSearchParams(search).get('options') ?? '{}'))
  } catch {
    // A client with invalid options still receives events.
    return {}
  }
}

function texts(values: { readonly [name: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  )
}

function refuseTooMany(topics: readonly string[]): void {
  if (topics.length > MOST_TOPICS) {
    throw badRequest(undefined, {
      subscriptions: {
        code: 'validation_length_too_long',
        message: `The length must be no more than ${MOST_TOPICS}.`,
        params: { max: MOST_TOPICS, min: 0 },
      },
    })
  }
  const long = topics.findIndex((topic) => topic.length > LONGEST_TOPIC)
  if (long < 0) return
  throw badRequest(undefined, {
    subscriptions: {
      [long]: {
        code: 'validation_length_too_long',
        message: `The length must be no more than ${LONGEST_TOPIC}.`,
        params: { max: LONGEST_TOPIC, min: 0 },
      },
    },
  })
}
