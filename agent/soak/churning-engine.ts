import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

/**
 * Fake Docker Engine API on a unix socket, for soak tests. After every five requests for the container list, all containers are replaced by
 * new ones.
 */
export type ChurningEngine = AsyncDisposable & {
  /** Address of the fake Docker Engine API, in the form of the agent's variable `DOCKER_HOST`, such as `unix:///tmp/engine.sock`. */
  readonly address: string
  /** Returns the number of requests for the container list that the soak test's fake Docker Engine API has received since its start. */
  readonly lists: () => number
}

const CONTAINERS = 3
const LISTS_PER_LIFE = 5

const EVENT = '{"Type":"container","Action":"start"}\n'

/**
 * Starts a fake Docker Engine API at the given unix socket path, for soak tests. Its containers are replaced by new ones after every five
 * list requests; its responses have only the fields that an agent reads.
 */
export async function startChurningEngine(socketPath: string): Promise<ChurningEngine> {
  let lists = 0
  const idOf = (index: number): string =>
    (Math.floor(lists / LISTS_PER_LIFE) * CONTAINERS + index).toString(16).padStart(12, '0').padEnd(64, '0')
  const list = (): readonly object[] =>
    Array.from({ length: CONTAINERS }, (_, index) => ({
      Id: idOf(index),
      Names: [`/job-${idOf(index).slice(0, 12)}`],
      Image: 'job:latest',
      State: 'running',
      Status: 'Up 5 minutes (healthy)',
      Labels: { 'com.docker.compose.project': `run-${idOf(index).slice(0, 12)}`, 'com.docker.compose.service': 'job' },
      Ports: [],
      HostConfig: { NetworkMode: 'bridge' },
    }))
  const stats = (): object => ({
    read: new Date(Date.UTC(2026, 0, 1) + lists * 1000).toISOString(),
    cpu_stats: { cpu_usage: { total_usage: lists * 1e9 }, system_cpu_usage: lists * 1e11, online_cpus: 4 },
    memory_stats: { usage: 50_000_000, stats: { inactive_file: 1_000_000 } },
    networks: { eth0: { rx_bytes: lists * 1000, tx_bytes: lists * 500 } },
    blkio_stats: { io_service_bytes_recursive: [{ op: 'read', value: lists * 10 }] },
  })
  const answerTo = (url: string): object => {
    if (url.includes('/containers/json')) {
      lists += 1
      return list()
    }
    if (url.includes('/stats')) return stats()
    // An existing process that belongs to no container.
    return url.includes('/version') ? { Version: '28.0.0', ApiVersion: '1.48' } : { State: { Pid: process.pid } }
  }
  const hearing = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    // A range of the past ends by itself; without `until` the response goes on.
    if (request.url?.startsWith('/events') === true && request.url.includes('until=')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 0 })
      response.end()
      return
    }
    if (request.url?.startsWith('/events') === true) {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      hearing.add(response)
      response.on('close', () => hearing.delete(response))
      return
    }
    const body = JSON.stringify(answerTo(request.url ?? ''))
    response.writeHead(200, { server: 'Docker/28.0.0', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
    // An event after each list invalidates it, so subscribers request the next one.
    if (request.url?.includes('/containers/json') === true) for (const one of hearing) one.write(EVENT)
  })
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    address: `unix://${socketPath}`,
    lists: () => lists,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
