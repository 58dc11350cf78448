import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { root } from '../tools/rules/source-tree.ts'
import type { Stores } from '../hub/src/startup/open-stores.ts'
import { makeMemoryFolder } from '../hub/test/memory-folder.ts'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { launchBrowser } from './browser.ts'
import type { MovedClock } from './clocked-hub.ts'
import { countedInterfaces } from './own-interfaces.ts'
import { startProgram, type Program } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

/** Timeout in ms, 2 min, of each step of a test in a page, for busy machines. Tests wait for events, not for this time. */
export const STEP_MS = 120_000

export const PASSWORD = 'correct horse battery'
export const ADMIN = 'admin@example.com'

/** Response to a sign-in: the session token and the user's record with its id. The browser stores it unchanged. */
export type Session = { readonly token: string; readonly record: { readonly id: string } }

/**
 * Functions of a new hub for browser tests: create users and systems, start agents, open pages, replace the hub. Disposing it stops hub,
 * browser and agents, and removes the hub's data.
 */
export type PagesHub = AsyncDisposable & {
  readonly address: string
  readonly createAdmin: () => Promise<Session>
  /** Creates a user with this email address and role, by the admin, and resolves with the user's session. Call `createAdmin` first. */
  readonly createUser: (email: string, role: string) => Promise<Session>
  /** Sets a user's password with the hub's command line tool, which also ends all sessions of that user. */
  readonly setPassword: (email: string, password: string) => void
  /**
   * Sends a request with a JSON body to the hub's API. Resolves with the response's JSON, or `undefined` for an empty response; rejects for
   * an error status.
   */
  readonly send: (session: Session, method: string, path: string, body?: object) => Promise<unknown>
  /** Adds a system (name, and port of its agent on this machine) at the hub as the user of `session`, and resolves with the system's id. */
  readonly addSystem: (session: Session, system: { name: string; port: number }) => Promise<string>
  /**
   * Starts an agent of this machine that listens for SSH connections of the hub, and resolves with its port and process. It accepts this
   * hub's key, or the given public key.
   */
  readonly startAgent: (name: string, key?: string) => Promise<{ readonly port: number; readonly program: Program }>
  /** Adds this machine as a system under a name, starts its agent, and resolves with the system's id once the system is up. */
  readonly watchMachine: (session: Session, name: string) => Promise<string>
  /**
   * Opens a page in its own browser profile, signed in with the session if there is one, and resolves with the page. An open page costs CPU
   * time, so dispose it with its test.
   */
  readonly openPage: (session?: Session, options?: BrowserContextOptions) => Promise<Page>
  /**
   * Stops the test's hub and starts another one with the same address and data; resolves when that listens. It is this version of the hub,
   * or that at `program`, the path of another build.
   */
  readonly replaceHub: (program?: string) => Promise<void>
  /** Messages of the uncaught errors in all pages that this hub's browser opened, as a list of texts. */
  readonly pageErrors: readonly string[]
}

export type PagesHubOptions = {
  /** List of command line options that the test's hub gets in addition to the usual ones. */
  readonly args?: readonly string[]
  /** Path of an existing folder to use as the hub's data folder. Absent: a new temporary folder. */
  readonly directory?: string
  /** Function that is called, and awaited, before the hub starts. It gets the hub's opened database and stores, to add test data. */
  readonly prepare?: (stores: Stores) => Promise<void>
  /** Clock of the hub, which then runs in the test's process. Without it, the hub is a process of its own with the machine's clock. */
  readonly clock?: MovedClock
}

export async function startPagesHub({ args = [], directory, prepare, clock }: PagesHubOptions = {}): Promise<PagesHub> {
  await using started = new AsyncDisposableStack()
  const folder = makeMemoryFolder('vedette-pages-')
  started.defer(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(directory ?? folder, 'data')
  const address = `http://127.0.0.1:${await freePort()}`
  const hubArgs = ['--listen', address.slice('http://'.length), '--data', data, '--log-level', 'error', ...args]
  let hub = await startHubFor(hubArgs, prepare, clock)
  started.defer(() => hub[Symbol.asyncDispose]())
  const browser = await launchBrowser()
  started.defer(() => browser.close())
  const pages = started.use(new AsyncDisposableStack())
  const agents = started.use(new AsyncDisposableStack())
  const pageErrors: string[] = []

  const startAgent: PagesHub['startAgent'] = async (name, key) => {
    const directory = join(folder, name)
    mkdirSync(directory)
    const port = await freePort()
    const program = startProgram('agent/src/main.ts', {
      environment: {
        DATA_DIR: directory,
        LISTEN: `127.0.0.1:${port}`,
        ...countedInterfaces,
        ...(key === undefined ? { KEY_FILE: join(data, 'id_ed25519.pub') } : { KEY: key }),
      },
    })
    agents.defer(async () => {
      await program.stop()
    })
    await program.line(/Waiting for the hub over SSH/)
    return { port, program }
  }

  const addSystem: PagesHub['addSystem'] = async ({ token, record }, system) => {
    const body = { host: '127.0.0.1', ...system, port: String(system.port), users: record.id }
    const created = await sendJson(`${address}/api/collections/systems/records`, 'POST', body, token)
    return (created as { readonly id: string }).id // a created record has its id, or sendJson has thrown
  }

  const openOne: PagesHub['openPage'] = (session, options) => openPage({ browser, address, pages, pageErrors }, session, options)

  const kept = started.move()
  let admin: Session | undefined
  return {
    address,
    createAdmin: async () => {
      await sendJson(`${address}/api/beszel/create-user`, 'POST', { email: ADMIN, password: PASSWORD })
      admin = await signIn(address, ADMIN)
      return admin
    },
    createUser: async (email, role) => {
      const account = { email, role, password: PASSWORD, passwordConfirm: PASSWORD, verified: true }
      await sendJson(`${address}/api/collections/users/records`, 'POST', account, admin?.token)
      return signIn(address, email)
    },
    setPassword: (email, password) => runCommand(['user', 'password', email, '--password-stdin', '--data', data], password),
    send: ({ token }, method, path, body) => sendJson(address + path, method, body, token),
    addSystem,
    async watchMachine(session, name) {
      const { port } = await startAgent(name)
      await using events = await streamedEvents(address, session.token, ['systems/*'])
      const up = events.next((event) => event.includes(`"name":"${name}"`) && event.includes('"status":"up"'))
      const id = await addSystem(session, { name, port })
      await up
      return id
    },
    startAgent,
    openPage: openOne,
    async replaceHub(program) {
      await hub[Symbol.asyncDispose]()
      hub = await startHubProgram([...hubArgs, '--web-root', join(root, 'web', 'dist')], program)
    },
    pageErrors,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * Starts the hub of a test: with `clock`, from its sources in the test's process; otherwise the built program, which starts in half the
 * time. `prepare` adds test data before.
 */
async function startHubFor(args: readonly string[], prepare: PagesHubOptions['prepare'], clock: MovedClock | undefined) {
  if (prepare === undefined && clock === undefined) return startHubProgram(args)
  const { prepareData, startClockedHub } = await import('./clocked-hub.ts')
  if (prepare !== undefined) await prepareData(args, prepare, clock)
  return clock === undefined ? startHubProgram(args) : startClockedHub(args, clock)
}

async function startHubProgram(args: readonly string[], program = 'hub/dist/vedette-hub.mjs'): Promise<AsyncDisposable> {
  const hub = startProgram(program, { args })
  await hub.line(/listens on/)
  return { [Symbol.asyncDispose]: async () => void (await hub.stop()) }
}

function runCommand(args: readonly string[], input: string): void {
  execFileSync(process.execPath, [join(root, 'hub/src/vedette.ts'), ...args], { input, stdio: ['pipe', 'ignore', 'inherit'] })
}

async function signIn(address: string, identity: string): Promise<Session> {
  const answer = await sendJson(`${address}/api/collections/users/auth-with-password`, 'POST', { identity, password: PASSWORD })
  return answer as Session // what this route answers; a page that is not signed in fails its test
}

async function sendJson(url: string, method: string, body?: object, token = ''): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${url}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

type Opening = { readonly browser: Browser; readonly address: string; readonly pages: AsyncDisposableStack; readonly pageErrors: string[] }

async function openPage(
  { browser, address, pages, pageErrors }: Opening,
  session: Session | undefined,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const localStorage = session === undefined ? [] : [{ name: 'pocketbase_auth', value: JSON.stringify(session) }]
  const context = await browser.newContext({
    locale: 'en-US',
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_MS)
  page[Symbol.asyncDispose] = async () => {
    // The pages send requests on their own, so a test may end while one of its routes still waits for the hub's response.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  pages.use(page)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  return page
}

/**
 * Returns the sorted list of the realtime topics with a `/` that a page's HTTP request subscribes to; `undefined` if the request is no
 * subscription.
 */
export function followedTopics(request: Request): readonly string[] | undefined {
  if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/api/realtime') return undefined
  const { subscriptions } = request.postDataJSON() as { readonly subscriptions: readonly string[] } // as every client sends it
  return subscriptions.filter((topic) => topic.includes('/')).toSorted()
}

/**
 * Resolves when a JavaScript expression (text) is true in a browser page of the test; it is evaluated in each animation frame. Rejects when
 * the expression throws. Playwright's own wait needs `eval`, which the pages' CSP forbids.
 */
export async function waitUntil(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const look = () => {
      try {
        if (${expression}) resolve()
        else requestAnimationFrame(look)
      } catch (error) {
        reject(error)
      }
    }
    look()
  })`)
}
