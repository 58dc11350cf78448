import { underscored } from '../filter/request-facts.ts'
import { z } from 'zod'

/** A subscription topic: `systems/*`, `systems/ID`, or a custom topic of the hub. */
export type Topic = {
  /** The exact text of the subscription, which is also the name of its events. */
  readonly text: string
  /** The part before the first slash. */
  readonly name: string
  /** The part after the first slash; `*` when there is no slash. */
  readonly rest: string
  readonly query: { readonly [name: string]: string }
  readonly headers: { readonly [name: string]: string }
}

const options = z.object({
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
})

/** Parses a topic. Invalid options are ignored. */
export function parseTopic(text: string): Topic {
  const [path = '', search] = text.split('?', 2)
  const slash = path.indexOf('/')
  const name = slash < 0 ? path : path.slice(0, slash)
  const rest = slash < 0 ? '*' : path.slice(slash + 1)
  const { query = {}, headers = {} } = search === undefined ? {} : readOptions(search)
  return { text, name, rest, query: texts(query), headers: underscored(texts(headers)) }
}

function readOptions(search: string): z.infer<typeof options> {
  try {
    return options.parse(JSON.parse(new URLSearchParams(search).get('options') ?? '{}'))
  } catch {
    // A client with invalid options still receives its events.
    return {}
  }
}

function texts(values: { readonly [name: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  )
}
