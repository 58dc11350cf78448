import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { join } from 'node:path'
import { startOwnEngine } from './own-engine.ts'
import { scratchFolder } from './programs.ts'

/**
 * Docker or Podman on this machine, with an image and a network for one test; `run` starts a container. Disposing it removes image, network
 * and containers.
 */
export type Engine = AsyncDisposable & {
  readonly kind: 'found'
  /** Address of the Docker Engine API in the form of the agent's variable `DOCKER_HOST`, such as `unix:///run/docker.sock`. */
  readonly address: string
  /** Name of the container image that a test has imported, from which it starts all its containers. */
  readonly image: string
  /** True when the test's containers have a network interface whose traffic is counted. */
  readonly hasNetwork: boolean
  /** Starts a container from the test's image and resolves when it has printed `ready`. */
  readonly run: (container: ContainerOptions) => Promise<Container>
}

export type ContainerOptions = {
  readonly name: string
  /** Shell script that the test's container runs with busybox. It must print `ready` when the test may go on. */
  readonly script: string
  /** Maximum number of CPUs that the test's container may use, such as 0.5 for half the time of one CPU. */
  readonly cpuShare: number
}

export type Container = {
  /** First 12 hexadecimal digits of the id of the container that the test started. */
  readonly id: string
  readonly name: string
  /** IP address, as text, of the started container in the test's network; empty without a network. */
  readonly ip: string
  /**
   * Resolves, after 1 s, with the container's usage as Docker or Podman measures it. It has CPU in percent of the whole machine, memory
   * without page cache, and traffic since the container's start.
   */
  readonly figures: () => Promise<ContainerFigures>
  readonly stop: () => Promise<void>
}

export type ContainerFigures = {
  readonly readAtMs: number
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly networkBytes: number
}

export type NoEngine = AsyncDisposable & { readonly kind: 'none'; readonly reason: string }

/** List of the paths of the default sockets of Docker and Podman. */
const usualSockets = ['/var/run/docker.sock', '/run/podman/podman.sock']

/** Returns a random name, such as `vedette-e2e-1a2b3c4d`, for an image, network or container, because other users may share the engine. */
const ownName = (): string => `vedette-e2e-${randomBytes(4).toString('hex')}`

/**
 * Finds Docker or Podman by `DOCKER_HOST` or a usual socket, else starts a Docker engine, which needs root, and resolves with it. The
 * result has the kind `none` when no container can be run. Disposing the result removes all that the test created.
 */
export async function findEngine(): Promise<Engine | NoEngine> {
  const made = new AsyncDisposableStack()
  try {
    const engine = await prepareEngine(await addressOf(made), made)
    return { ...engine, [Symbol.asyncDispose]: () => made.disposeAsync() }
  } catch (error) {
    await made.disposeAsync()
    const reason = `no container engine: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'none', reason, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
}

async function addressOf(made: AsyncDisposableStack): Promise<string> {
  const named = process.env['DOCKER_HOST']
  if (named !== undefined && named !== '') return named
  const socket = usualSockets.find((path) => existsSync(path))
  return socket === undefined ? made.use(await startOwnEngine()).address : `unix://${socket}`
}

async function prepareEngine(address: string, made: AsyncDisposableStack): Promise<Omit<Engine, typeof Symbol.asyncDispose>> {
  const api = engineApi(address)
  const image = `${ownName()}:busybox`
  await importBusybox(api, image)
  made.defer(() => api.tell('DELETE', `/images/${image}?force=1`))
  const network = await createNetwork(api)
  if (network !== undefined) made.defer(() => api.tell('DELETE', `/networks/${network}`))
  const run: Engine['run'] = async (options) => {
    const container = await startContainer(api, { ...options, image, network: network ?? 'none' }, made)
    await api.untilPrinted(`/containers/${container.id}/logs?follow=1&stdout=1&stderr=1`, 'ready')
    return container
  }
  const probe = await run({ name: ownName(), script: 'echo ready; exec sleep 3600', cpuShare: 1 })
  await probe.stop()
  return { kind: 'found', address, image, hasNetwork: network !== undefined, run }
}

/**
 * Creates an isolated container network for the test and resolves with its name; `undefined` if the engine refuses it, as on a kernel
 * without bridges.
 */
async function createNetwork(api: EngineApi): Promise<string | undefined> {
  try {
    const name = ownName()
    await api.tell('POST', '/networks/create', { Name: name, Driver: 'bridge', Internal: true })
    return name
  } catch (error) {
    if (error instanceof EngineRefused) return undefined
    throw error
  }
}

/** Imports a container image under the name `image` that contains only a static busybox, so that no registry is needed. */
async function importBusybox(api: EngineApi, image: string): Promise<void> {
  const busybox = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, 'busybox'))
    .find((path) => existsSync(path))
  if (busybox === undefined) throw new Error('no busybox on the PATH to make an image of')
  using folder = scratchFolder()
  mkdirSync(join(folder.path, 'bin'))
  copyFileSync(busybox, join(folder.path, 'bin', 'busybox'))
  const tar = await buffer(spawn('tar', ['-C', folder.path, '-c', 'bin'], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout)
  const [name, tag] = image.split(':')
  await api.tell('POST', `/images/create?fromSrc=-&repo=${name}&tag=${tag}`, tar)
}

/** Fields of a container inspection (Docker Engine API, `GET /containers/{id}/json`) that the test reads. */
type Inspection = { readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>> } }

async function startContainer(
  api: EngineApi,
  { name, script, cpuShare, image, network }: ContainerOptions & { readonly image: string; readonly network: string },
  made: AsyncDisposableStack,
): Promise<Container> {
  const periodUs = 10_000
  const { Id } = await api.ask<{ readonly Id: string }>('POST', `/containers/create?name=${name}`, {
    Image: image,
    Cmd: ['/bin/busybox', 'sh', '-c', script],
    // One binary stands for all programs.
    Env: ['PATH=/bin'],
    HostConfig: {
      NetworkMode: network,
      CpuPeriod: periodUs,
      CpuQuota: Math.round(periodUs * cpuShare),
      Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }],
    },
  })
  const remove = () => api.tell('DELETE', `/containers/${Id}?force=1`)
  let removed = false
  made.defer(async () => {
    if (!removed) await remove()
  })
  await api.tell('POST', `/containers/${Id}/start`)
  const { NetworkSettings } = await api.ask<Inspection>('GET', `/containers/${Id}/json`)
  return {
    id: Id.slice(0, 12),
    name,
    ip: NetworkSettings.Networks[network]?.IPAddress ?? '',
    figures: async () => figuresOf(await api.ask<Stats>('GET', `/containers/${Id}/stats?stream=0`)),
    stop: async () => {
      await remove()
      removed = true
    },
  }
}

type CpuStats = { readonly cpu_usage: { readonly total_usage: number }; readonly system_cpu_usage: number }

/**
 * Fields of a container's statistics (Docker Engine API, `GET /containers/{id}/stats`) that the test reads. `precpu_stats` are the CPU
 * counters 1 s before `cpu_stats`.
 */
type Stats = {
  readonly read: string
  readonly cpu_stats: CpuStats
  readonly precpu_stats: CpuStats
  readonly memory_stats: { readonly usage: number; readonly stats: Readonly<Record<string, number>> }
  readonly networks?: Readonly<Record<string, { readonly rx_bytes: number; readonly tx_bytes: number }>>
}

function figuresOf({ read, cpu_stats: now, precpu_stats: before, memory_stats: memory, networks = {} }: Stats): ContainerFigures {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage
  const cache = memory.stats['total_inactive_file'] ?? memory.stats['inactive_file'] ?? 0
  return {
    readAtMs: Date.parse(read),
    cpuPercent: (100 * used) / (now.system_cpu_usage - before.system_cpu_usage),
    memoryBytes: memory.usage - cache,
    networkBytes: Object.values(networks).reduce((sum, { rx_bytes, tx_bytes }) => sum + rx_bytes + tx_bytes, 0),
  }
}

class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
}

type EngineApi = {
  /**
   * Sends a request to the Docker Engine API and resolves with the parsed JSON of the response. Rejects with `EngineRefused` for a status
   * of 400 or above.
   */
  readonly ask: <T>(method: string, path: string, body?: object) => Promise<T>
  readonly tell: (method: string, path: string, body?: object) => Promise<void>
  /**
   * Sends a GET request to the Docker Engine API and reads the streamed response until it contains `word`. Rejects when the response ends
   * before.
   */
  readonly untilPrinted: (path: string, word: string) => Promise<void>
}

const ANSWER_MS = 60_000

/**
 * Creates a client of the Docker Engine API at an address, with unversioned paths. A request body that is a `Buffer` is sent as a tar
 * archive, any other as JSON.
 */
function engineApi(address: string): EngineApi {
  const to = address.startsWith('unix://')
    ? { socketPath: address.slice('unix://'.length) }
    : { host: new URL(address).hostname, port: new URL(address).port }

  const send = async (method: string, path: string, body?: object): Promise<IncomingMessage> => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const type = Buffer.isBuffer(body) ? 'application/x-tar' : 'application/json'
      const headers = body === undefined ? {} : { 'content-type': type }
      const sent = request({ ...to, method, path, headers, agent: false, signal: AbortSignal.timeout(ANSWER_MS) }, resolve)
      sent.on('error', (cause) => reject(new Error(`Cannot ask the engine at "${address}": ${cause.message}`, { cause })))
      sent.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
    const { statusCode = 0 } = answer
    if (statusCode < 400) return answer
    throw new EngineRefused(`${method} ${path}: ${statusCode} ${(await buffer(answer)).toString('utf8').trim()}`)
  }

  return {
    // The engine's response has the documented shape.
    ask: async <T>(method: string, path: string, body?: object) =>
      JSON.parse((await buffer(await send(method, path, body))).toString('utf8')) as T,
    tell: async (method, path, body) => {
      await buffer(await send(method, path, body))
    },
    untilPrinted: async (path, word) => {
      let text = ''
      for await (const chunk of await send('GET', path)) {
        text += String(chunk)
        if (text.includes(word)) return
      }
      throw new Error(`The container ended without printing "${word}": ${text.trim()}`)
    },
  }
}
