import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeMemoryFolder } from '../hub/test/memory-folder.ts'
import { freePort } from '../tools/free-port.ts'
import { programNamed } from '../tools/installed-programs.ts'

const program = programNamed('prometheus')

/** Options of a `node:test` test that needs Prometheus: timeout, and the reason to skip it where Prometheus is not installed. */
export const withPrometheus = { skip: program === undefined && 'there is no prometheus here', timeout: 180_000 }

/** Real Prometheus server of a test, which scrapes a hub's `/metrics` every second. */
export type PrometheusServer = AsyncDisposable & {
  /** Resolves when Prometheus has stored the result of one more complete scrape of the hub that began after this call. */
  readonly scraped: () => Promise<void>
  /** Sends a GET request to Prometheus's HTTP API, such as `query?query=up`, and resolves with the field `data` of the JSON response. */
  readonly read: (path: string) => Promise<unknown>
}

/**
 * Starts Prometheus with a port and folder of its own, and resolves with it. It scrapes `/metrics` of the hub at the URL `hub` with the API
 * key `key`, through a proxy in this process.
 */
export async function startPrometheus(hub: string, key: string): Promise<PrometheusServer> {
  await using stack = new AsyncDisposableStack()
  const waiting = new Set<() => void>()
  const proxy = createServer((request, response) => {
    // A scrape begins after the one before it is stored.
    for (const resolve of waiting) resolve()
    const { authorization = '', accept = '' } = request.headers
    fetch(`${hub}${request.url ?? ''}`, { headers: { authorization, accept } }).then(
      async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        response.end(await answer.text())
      },
      () => response.destroy(),
    )
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  stack.defer(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const folder = makeMemoryFolder('vedette-prometheus-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const config = join(folder, 'prometheus.yml')
  writeFileSync(config, configOf((proxy.address() as AddressInfo).port, key)) // it listens on a port
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn(program ?? '', flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  stack.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
    if (said.includes('Server is ready to receive web requests')) resolve()
  })
  const early = ended.then(() => Promise.reject(new Error(`Prometheus ended: ${said}`)))
  early.catch(() => {})
  await Promise.race([ready, early])
  const began = () =>
    new Promise<void>((resolve) => {
      const once = () => {
        waiting.delete(once)
        resolve()
      }
      waiting.add(once)
    })
  const running = stack.move()
  return {
    async scraped() {
      await began()
      await began()
    },
    async read(path) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
      if (!response.ok) throw new Error(`Prometheus refuses ${path}: ${await response.text()}`)
      return ((await response.json()) as { readonly data: unknown }).data // the API's envelope
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const configOf = (port: number, key: string): string => `
global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs:
  - job_name: vedette
    authorization: { credentials: ${key} }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]
`
