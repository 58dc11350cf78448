import type { ContainerHealth } from '@vedette/protocol/metrics/sample'
import { listAt, numberAt, textAt, type Json } from '../../text/json.ts'
import { longName } from '../../text/long-name.ts'
import { plainName } from '../../text/plain-name.ts'

/** One container of `GET /containers/json`. */
export type ListedContainer = {
  /** First 12 digits. */
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly health: ContainerHealth
  readonly ports: string
  /** How long this run lasts at least, when it (re)started within the last minute: what was read before is of another run. */
  readonly upAtLeastMs?: number
  /** As the engine says, such as `bridge`, `host` or `container:ID`. */
  readonly networkMode?: string
  readonly composeProject?: string
  readonly composeService?: string
}

export function parseContainerList(list: Json): readonly ListedContainer[] {
  const parsed = parseEntries(list)
  const names = new Set(parsed.map(({ name }) => name))
  return parsed.map((container) => {
    const name = container.composeService === undefined ? undefined : REPLACING.exec(container.name)?.[1]
    return name === undefined || names.has(name) ? container : { ...container, name }
  })
}

/** While compose puts a container in the place of another, its name begins with the other one's id, until that one is gone. */
const REPLACING = /^[0-9a-f]{12}_(.+)$/

function parseEntries(list: Json): readonly ListedContainer[] {
  return listAt(list).flatMap((entry) => {
    const id = /^[0-9a-f]{12}/.exec(textAt(entry, 'Id') ?? '')?.[0]
    const name = longName((listAt(entry, 'Names').find((one) => typeof one === 'string') ?? '').replace(/^\//, ''))
    if (id === undefined || name === '') return []
    const status = plainName(textAt(entry, 'Status') ?? '')
    const told = healthWord(textAt(entry, 'Health', 'Status'))
    const suffix = statusHealth(status)
    return [
      {
        id,
        name,
        image: longName(textAt(entry, 'Image') ?? ''),
        status: suffix.status,
        health: told ?? suffix.health,
        ports: portsOf(listAt(entry, 'Ports')),
        ...upAtLeast(status),
        ...optional('networkMode', textAt(entry, 'HostConfig', 'NetworkMode')),
        ...optional('composeProject', labelOf(entry, 'project')),
        ...optional('composeService', labelOf(entry, 'service')),
      },
    ]
  })
}

const optional = <K extends string>(key: K, text: string | undefined): Partial<Record<K, string>> =>
  // A record with one key of type K is what a computed key makes; the compiler only sees a string.
  text === undefined || text === '' ? {} : ({ [key]: plainName(text) } as Partial<Record<K, string>>)

/** Docker's compose and Podman's write the same two labels under names of their own. */
const labelOf = (entry: Json, what: 'project' | 'service'): string | undefined =>
  textAt(entry, 'Labels', `com.docker.compose.${what}`) ?? textAt(entry, 'Labels', `io.podman.compose.${what}`)

/** Within the first minute the engine tells whole seconds: `Up 5 seconds`, `Up Less than a second`. */
function upAtLeast(status: string): Pick<ListedContainer, 'upAtLeastMs'> {
  if (!status.includes('second')) return {}
  return { upAtLeastMs: Number(/(\d+) second/.exec(status)?.[1] ?? 0) * 1000 }
}

export function healthWord(text: string | undefined): ContainerHealth | undefined {
  return text === 'none' || text === 'starting' || text === 'healthy' || text === 'unhealthy' ? text : undefined
}

/** Engines before API 1.52 tell health only inside the status: `Up 2 days (healthy)`. */
function statusHealth(status: string): { readonly status: string; readonly health: ContainerHealth } {
  const match = /^(.*) \((?:health: )?(starting|healthy|unhealthy)\)$/.exec(status)
  const text = (match?.[1] ?? status).replace('About ', '')
  return { status: text, health: healthWord(match?.[2]) ?? 'none' }
}

/** Published ports by number, then address; a wildcard address shows only the port. */
function portsOf(ports: readonly Json[]): string {
  const published = ports.flatMap((port) => {
    const number = numberAt(port, 'PublicPort')
    const ip = plainName(textAt(port, 'IP') ?? '')
    return number === undefined || number === 0 ? [] : [{ number, ip: ip === '0.0.0.0' || ip === '::' ? '' : ip }]
  })
  const sorted = published.toSorted((a, b) => a.number - b.number || (a.ip < b.ip ? -1 : Number(a.ip > b.ip)))
  return [...new Set(sorted.map(({ number, ip }) => (ip === '' ? String(number) : `${ip.includes(':') ? `[${ip}]` : ip}:${number}`)))].join(
    ', ',
  )
}

/**
 * Whose network a container uses: `host`, or the name of the container that `container:ID` leads to (compose's
 * `network_mode: service:NAME` becomes that too), or its shortened id when that is not listed.
 */
export function networkOwner(mode: string | undefined, all: readonly ListedContainer[]): string | undefined {
  if (mode === 'host') return 'host'
  const target = /^container:(.+)$/.exec(mode ?? '')?.[1]
  if (target === undefined) return undefined
  return all.find(({ id, name }) => name === target || target.startsWith(id))?.name ?? target.slice(0, 12)
}
