import type { ContainerHealth } from '@vedette/protocol/metrics/sample'
import { listAt, numberAt, textAt, type Json } from '../../text/json.ts'
import { longName } from '../../text/long-name.ts'
import { plainName } from '../../text/plain-name.ts'

/**
 * Data of a running container from Docker's response to `GET /containers/json`: name, image, status, health, ports, network mode and
 * compose names.
 */
export type ListedContainer = {
  /** First 12 hexadecimal digits of the id that Docker or Podman gave to the container. */
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly health: ContainerHealth
  readonly ports: string
  /**
   * Minimum uptime in ms, only for a container that (re)started within the last minute. Readings from before that belong to a previous run.
   */
  readonly upAtLeastMs?: number
  /** Network mode of the container in Docker or Podman, such as `bridge`, `host` or `container:ID`; absent when not reported. */
  readonly networkMode?: string
  readonly composeProject?: string
  readonly composeService?: string
}

/** Container with id and name, and its entry in Docker's container list as parsed JSON value. */
export type NamedContainer = { readonly id: string; readonly name: string; readonly entry: Json }

/**
 * Returns a list of those entries of Docker's container list (parsed JSON) that have an id and a name. `listedContainer` parses the other
 * fields.
 */
export function namedContainers(list: Json): readonly NamedContainer[] {
  const named = listAt(list).flatMap((entry) => {
    const id = ID.exec(textAt(entry, 'Id') ?? '')?.[0]
    const told = listAt(entry, 'Names').find((one) => typeof one === 'string') ?? ''
    const name = longName(told.startsWith('/') ? told.slice(1) : told)
    return id === undefined || name === '' ? [] : [{ id, name, entry }]
  })
  const names = new Set(named.map(({ name }) => name))
  return named.map((one) => {
    const name = REPLACING.exec(one.name)?.[1]
    return name === undefined || names.has(name) || labelOf(one.entry, 'service') === '' ? one : { ...one, name }
  })
}

/**
 * Regular expression that matches the temporary name of a container that Docker Compose is replacing: the old container's id, `_` and the
 * name.
 */
const REPLACING = /^[0-9a-f]{12}_(.+)$/

/**
 * Converts one entry of Docker's container list to a container. It is fast, with few patterns and no object spread, because the entries of
 * young containers change every second.
 */
export function listedContainer({ id, name, entry }: NamedContainer): ListedContainer {
  const { status, health } = statusHealth(plainName(textAt(entry, 'Status') ?? ''))
  const listed: { -readonly [F in keyof ListedContainer]: ListedContainer[F] } = {
    id,
    name,
    image: longName(textAt(entry, 'Image') ?? ''),
    status,
    health: healthWord(textAt(entry, 'Health', 'Status')) ?? health,
    ports: portsOf(listAt(entry, 'Ports')),
  }
  const upAtLeastMs = upAtLeast(status)
  const networkMode = plainName(textAt(entry, 'HostConfig', 'NetworkMode') ?? '')
  const composeProject = labelOf(entry, 'project')
  const composeService = labelOf(entry, 'service')
  if (upAtLeastMs !== undefined) listed.upAtLeastMs = upAtLeastMs
  if (networkMode !== '') listed.networkMode = networkMode
  if (composeProject !== '') listed.composeProject = composeProject
  if (composeService !== '') listed.composeService = composeService
  return listed
}

const ID = /^[0-9a-f]{12}/

/**
 * Returns the name of the Compose project (`what` is `project`) or of the service from the labels of a container list entry; empty without
 * one. Docker Compose and Podman's use different labels.
 */
const labelOf = (entry: Json, what: 'project' | 'service'): string =>
  plainName(textAt(entry, 'Labels', `com.docker.compose.${what}`) ?? textAt(entry, 'Labels', `io.podman.compose.${what}`) ?? '')

/**
 * Returns the uptime in ms that a container's status text states. Docker reports seconds only during the first minute: `Up 5 seconds`, `Up
 * Less than a second`. `undefined` for longer uptimes.
 */
function upAtLeast(status: string): number | undefined {
  const at = status.indexOf(' second')
  return at === -1 ? undefined : (Number.parseInt(status.slice(status.lastIndexOf(' ', at - 1) + 1, at), 10) || 0) * 1000
}

export function healthWord(text: string | undefined): ContainerHealth | undefined {
  return text === 'none' || text === 'starting' || text === 'healthy' || text === 'unhealthy' ? text : undefined
}

/**
 * Splits a container's status text such as `Up 2 days (healthy)`. Returns the status without the brackets and without `About `, and the
 * health, `none` when it has none. Docker before API 1.52 reports health only there.
 */
function statusHealth(text: string): { readonly status: string; readonly health: ContainerHealth } {
  const match = text.endsWith(')') ? HEALTH.exec(text) : null
  return { status: (match?.[1] ?? text).replace('About ', ''), health: healthWord(match?.[2]) ?? 'none' }
}

const HEALTH = /^(.*) \((?:health: )?(starting|healthy|unhealthy)\)$/

/**
 * Returns a container's published ports as text, sorted by port number, then address: `80, 127.0.0.1:443`. A wildcard address shows only
 * the port; empty without published ports.
 */
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
 * Returns the owner of the network that a container with this network mode shares. It is `host`, the name of another container in `all`, or
 * its short id if not listed. `undefined` when it shares none, or the mode is unknown.
 */
export function networkOwner(mode: string | undefined, all: readonly Pick<ListedContainer, 'id' | 'name'>[]): string | undefined {
  if (mode === 'host') return 'host'
  if (mode?.startsWith(OTHERS) !== true || mode === OTHERS) return undefined
  const target = mode.slice(OTHERS.length)
  return all.find(({ id, name }) => name === target || target.startsWith(id))?.name ?? target.slice(0, 12)
}

const OTHERS = 'container:'
