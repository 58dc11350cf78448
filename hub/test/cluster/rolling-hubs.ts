import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { databases } from '../databases.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'
import { call, signIn, until } from '../hubs-of-one-database.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { startNatsServer } from '../nats-server.ts'
import { streamedEvents } from '../streamed-events.ts'
import { lendToken } from './agents-of-all.ts'
import { auditWrites } from './write-audit.ts'

const ADMIN = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }

export type RollingHub = Awaited<ReturnType<typeof rollingHubs>>['a']

/** Two hubs on one PostgreSQL and one NATS, which are upgraded one after the other. */
export async function rollingHubs() {
  const stack = new AsyncDisposableStack()
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  const { at } = stack.use(await postgres.ready())
  assert.ok('url' in at)
  const { url } = at
  const audit = stack.use(await auditWrites(url))
  const nats = stack.use(await startNatsServer())
  const folder = makeMemoryFolder('vedette-rolling-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const all: string[] = []
  let token = ''

  function hubOf(name: string) {
    const named = `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`
    // The server of the tests is newer than the `pg_dump` of most machines.
    const shared = ['--nats', nats.url, '--secret-key', 'one key for all hubs of a database', '--upgrade-without-backup', 'true']
    const flags = ['--database', named, ...shared, '--data', join(folder, name), '--hub-name', name]
    let running: HubProcess | undefined
    const process = (): HubProcess => {
      assert.ok(running)
      return running
    }
    stack.defer(async () => {
      running?.kill('SIGKILL')
      await running?.ended
    })

    /** Starts the hub. `program`: another build. */
    async function start(program?: string): Promise<void> {
      running = await startHubProcess(flags, ADMIN, program)
    }

    return {
      name,
      start,
      /** Address for agents. `undefined` while the hub does not run. */
      address: () => running?.address,
      call: (request: string, body?: object) => call(process(), token, request, body),
      /** A stream of this hub. A load balancer leads its subscriptions to the hub at the other address. */
      stream: (topics: readonly string[], subscribeAt: string | undefined) => streamedEvents(process().address, token, topics, subscribeAt),
      /** The versions of the hubs, by their names. */
      async versions(): Promise<{ readonly [hub: string]: string }> {
        const { body } = await call(process(), token, 'GET /api/vedette/hubs')
        const items = body['items'] as unknown as readonly { readonly name: string; readonly version: string }[] // hubs
        return Object.fromEntries(items.map((hub) => [hub.name, hub.version]))
      },
      /** Drains the hub as an admin does, and starts it again when it has no system. */
      async restart(program?: string): Promise<void> {
        const { body } = await call(process(), token, 'GET /api/vedette/hubs')
        const items = body['items'] as unknown as readonly { readonly name: string; readonly id: string }[] // hubs
        const id = items.find((hub) => hub.name === name)?.id
        const { status } = await call(process(), token, `POST /api/vedette/hubs/${id}/drain`)
        assert.equal(status, 204)
        await until(
          async () => [...(await audit.owners()).values()],
          (owners) => !owners.includes(name),
        )
        process().kill('SIGTERM')
        assert.equal(await process().ended, 0)
        all.push(process().complaints())
        running = undefined
        await start(program)
      },
      complaints: () => running?.complaints() ?? '',
    }
  }

  const [a, b] = [hubOf('a'), hubOf('b')]
  return {
    url,
    audit,
    a,
    b,
    /** Starts both hubs, and signs an admin in. */
    async start() {
      await a.start()
      await b.start()
      const admin = { address: a.address() ?? '' }
      const signedIn = await signIn(admin)
      token = signedIn.token
      await lendToken(admin, token)
      return signedIn
    },
    complaints: () => [...all, a.complaints(), b.complaints()].join(''),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
