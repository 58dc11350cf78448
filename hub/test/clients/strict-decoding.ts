import assert from 'node:assert/strict'
import { z } from 'zod'
import { dataset, type RecordedHub } from '../recorded-hub.ts'

export const ALICE = dataset.aliases['alice'] ?? ''
export const SYSTEM = 'sys000000000001'
/** The systems of the data set that have reported data. */
export const TALKATIVE = [SYSTEM, 'sys000000000002', 'sys000000000010']

export const date = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/)
export const id = z.string().regex(/^[A-Za-z0-9_-]+$/)
export const token = z.string().regex(/^[A-Za-z0-9]+\.[A-Za-z0-9]+\.[\w-]+$/)
export const status = z.enum(['up', 'down', 'paused', 'pending'])
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ page: z.int(), perPage: z.int(), totalItems: z.int(), totalPages: z.int(), items: z.array(item).nonempty() })

/** One request of a client. */
export type Ask = {
  /** Account that signs in, and the form of its token. Default: a guest. */
  readonly as?: string
  readonly bearer?: true
  readonly request: string
  readonly body?: object
  readonly form?: true
  readonly status?: number
  readonly answer?: z.ZodType
}

/** Sends a request as the client does, and checks the status and the keys that it needs. `tokens`: those of accounts without a session. */
export async function ask(hub: RecordedHub, asked: Ask, tokens: ReadonlyMap<string, string> = new Map()): Promise<unknown> {
  const from = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
  const response = await hub.app.fetch(await requestOf(hub, asked, tokens), from)
  const text = await response.text()
  assert.equal(response.status, asked.status ?? 200, `${asked.request}: ${text}`)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  const parsed: unknown = isJson ? JSON.parse(text) : text
  const checked = asked.answer?.safeParse(parsed)
  if (checked?.error !== undefined) assert.fail(`${asked.request}: ${z.prettifyError(checked.error)}`)
  return parsed
}

async function requestOf(
  hub: RecordedHub,
  { as, bearer, request, body, form }: Ask,
  tokens: ReadonlyMap<string, string>,
): Promise<Request> {
  const [, method = '', path = ''] = /^(\w+) (.*)$/.exec(request) ?? []
  const headers = new Headers()
  if (as !== undefined) headers.set('authorization', `${bearer === true ? 'Bearer ' : ''}${tokens.get(as) ?? (await hub.tokenOf(as))}`)
  if (body !== undefined) headers.set('content-type', form === true ? 'application/x-www-form-urlencoded' : 'application/json')
  const text = form === true ? new URLSearchParams(Object.entries(body ?? {})).toString() : JSON.stringify(body)
  return new Request(`http://hub${path.replaceAll(' ', '%20')}`, { method, headers, ...(body === undefined ? {} : { body: text }) })
}

export const credentials = { identity: 'alice@example.com', password: dataset.password }
export const boss = { identity: dataset.superuser.email, password: dataset.superuser.password }
export const LIST = 'GET /api/collections'
export const only = (ids: readonly string[]) => `filter=${encodeURIComponent(ids.map((one) => `id="${one}"`).join('||'))}`
/** A filter as it goes over the wire. */
export const where = (text: string): string => `filter=${encodeURIComponent(text)}`

export const gauge = z.object({
  id,
  name: z.string(),
  status,
  updated: date,
  info: z.object({ cpu: z.number(), mp: z.number(), dp: z.number(), v: z.string() }).loose(),
})
export const stats = z
  .object({
    id,
    created: date,
    type: z.literal('1m'),
    stats: z.object({ cpu: z.number(), mu: z.number(), mp: z.number(), du: z.number(), dp: z.number() }).loose(),
  })
  .loose()
export const containerStats = z.object({
  id,
  collectionId: id,
  collectionName: z.literal('container_stats'),
  created: date,
  updated: date,
  system: id,
  type: z.string(),
  stats: z.array(z.object({ n: z.string(), c: z.number(), m: z.number() }).loose()),
})
export const container = z
  .object({
    id: z.string().regex(/^[0-9a-f]{6,12}$/),
    collectionId: id,
    collectionName: z.literal('containers'),
    name: z.string(),
    cpu: z.number(),
    memory: z.number(),
    status: z.string(),
    system: id,
    updated: z.int(),
  })
  .loose()
export const alert = z
  .object({ id, name: z.string(), system: id, user: id, value: z.number(), min: z.number(), triggered: z.boolean() })
  .loose()
export const resolved = z
  .object({ id, user: id, system: id, name: z.string(), created: date, resolved: z.union([date, z.literal('')]) })
  .loose()
export const drive = z
  .object({
    id,
    name: z.string(),
    model: z.string(),
    state: z.string(),
    temp: z.number(),
    hours: z.int(),
    cycles: z.int(),
    attributes: z.array(z.unknown()),
  })
  .loose()
export const service = z
  .object({
    id,
    name: z.string(),
    state: z.int(),
    sub: z.int(),
    cpu: z.number(),
    cpuPeak: z.number(),
    memory: z.number(),
    memPeak: z.number(),
    updated: z.int(),
  })
  .loose()
export const details = z
  .object({
    id: z.literal(SYSTEM),
    system: id,
    hostname: z.string(),
    os: z.int(),
    os_name: z.string(),
    kernel: z.string(),
    cpu: z.string(),
    arch: z.string(),
    cores: z.int(),
    threads: z.int(),
    memory: z.number(),
    podman: z.boolean(),
  })
  .loose()
export const recent = `system='${SYSTEM}' && type='1m'`
