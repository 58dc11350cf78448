import { underscored } from '../filter/request-facts.ts'
import { z } from 'zod'

/** What a client subscribed to: `systems/*`, `systems/ID`, or a topic of the hub's own. */
export type Topic = {
  /** Exactly as it was asked for: the name of its events. */
  readonly text: string
  /** Before the first slash. */
  readonly name: string
  /** After it; `*` when there is none. */
  readonly rest: string
  readonly query: { readonly [name: string]: string }
  readonly headers: { readonly [name: string]: string }
}

const options = z.object({
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
})

/** Options that cannot be read count as none. */
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
    // A client that garbles its options still gets its events.
    return {}
  }
}

function texts(values: { readonly [name: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')]),
  )
}
