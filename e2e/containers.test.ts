import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Diagnosis } from '@vedette/protocol/metrics/diagnosis'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { findEngine, type Container, type Engine } from './engine.ts'
import { scratchFolder, startProgram } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const EMAIL = 'admin@example.com'
const PASSWORD = 'correct horse battery'
const TOKEN = 'token-of-this-machine-for-its-containers'

/** Timeout of a step on a busy machine. */
const STEP_MS = 120_000

/** Memory that the idle container allocates, for the comparison. */
const HELD_BYTES = 20_000_000
/** Share of one CPU that the busy container uses. */
const BUSY_SHARE = 0.25

/** A record of the `containers` collection: `memory` in MiB, `net` in bytes per second. */
type ContainerRecord = {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly cpu: number
  readonly memory: number
  readonly net: number
}

test(
  '§2 system page: containers of a real engine have charts, a list with correct values, and disappear when they stop',
  { timeout: 8 * STEP_MS },
  async (t) => {
    await using engine = await findEngine()
    if (engine.kind === 'none') {
      console.log(`live part skipped: no container engine (${engine.reason})`)
      t.skip(engine.reason)
      return
    }
    // The machine's engine may run other containers: the suffix of the name identifies those of the test.
    const suffix = randomBytes(4).toString('hex')
    const { idle, busy } = await startContainers(engine, suffix)
    await using product = await startProduct(engine.address)
    const { page, address } = product
    await signUp(page, address)
    const up = page.getByRole('row', { name: new RegExp(hostname()) }).locator('[data-status=up]')
    await up.waitFor()
    /** A new agent measures immediately; the running agent would measure at the next minute. */
    const measureAgain = async () => {
      const shown = page.url()
      await page.goto(address)
      await product.restartAgent(() =>
        page
          .getByRole('row', { name: new RegExp(hostname()) })
          .locator('[data-status=down]')
          .waitFor(),
      )
      await up.waitFor()
      await page.goto(shown)
    }

    await t.test('each container chart has a canvas and both names in its legend', async () => {
      await page.getByRole('link', { name: hostname(), exact: true }).click()
      for (const title of ['Docker CPU Usage', 'Docker Memory Usage', 'Docker Network I/O']) {
        const card = page.getByRole('region', { name: title, exact: true })
        await card.locator('canvas').waitFor()
        for (const { name } of [idle, busy]) await card.getByRole('button', { name: new RegExp(name), pressed: true }).waitFor()
      }
    })

    await t.test("collection lists both containers with image, status and the engine's values", async () => {
      let records = await listContainers(address, suffix)
      // An agent's first sample has no rates when the engine responds slowly, as on a busy machine.
      while (recordOf(records, busy).cpu === 0) {
        await measureAgain()
        records = await listContainers(address, suffix)
      }
      assert.deepEqual(records.map(({ id }) => id).toSorted(), [idle.id, busy.id].toSorted())
      for (const { image, status } of records) {
        assert.equal(image, engine.image)
        assert.match(status, /^Up /)
      }
      await assertIdle(recordOf(records, idle), idle)
      await assertBusy(recordOf(records, busy), busy, engine)
    })

    await t.test("user reads logs and configuration of a container, without its environment, and the agent's diagnostics", async () => {
      const token = await signIn(address)
      const [system] = await items<{ readonly id: string }>(address, token, 'systems')
      const of = `system=${system?.id}&container=${busy.id}`
      const { logs } = await ask<{ readonly logs: string }>(address, token, `beszel/containers/logs?${of}`)
      assert.match(logs, /^ready\r?\n/)
      const since = async (seconds: number) =>
        (await ask<{ readonly logs: string }>(address, token, `beszel/containers/logs?${of}&since=${seconds}`)).logs
      const timed = await since(0)
      assert.match(timed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z ready\r?\n/)
      const readySeconds = Date.parse(`${timed.slice(0, 19)}Z`) / 1000
      assert.deepEqual([await since(readySeconds), await since(readySeconds + 3600)], [timed, ''])
      const { info } = await ask<{ readonly info: string }>(address, token, `beszel/containers/info?${of}`)
      const { Name, Config } = JSON.parse(info) as { readonly Name: string; readonly Config: object } // Docker Engine API
      assert.equal(Name, `/${busy.name}`)
      assert.ok(!('Env' in Config))
      const { collectors } = await ask<Diagnosis>(address, token, `vedette/systems/${system?.id}/diagnosis`)
      assert.equal(collectors.find(({ name }) => name === 'containers')?.state, 'works')
    })

    await t.test('system page lists both containers, and shows the logs and the configuration of one', async () => {
      const table = page.getByRole('region', { name: 'Containers', exact: true })
      await table.scrollIntoViewIfNeeded()
      await table.getByRole('searchbox').fill(busy.name)
      await table.getByRole('row').filter({ hasText: busy.name }).getByText(/\d %/).waitFor()
      await table.getByRole('row').filter({ hasText: idle.name }).waitFor({ state: 'detached' })
      await table.getByRole('button', { name: `Logs of ${busy.name}` }).click()
      const dialog = page.getByRole('dialog', { name: `Logs of ${busy.name}` })
      await dialog.getByText('ready', { exact: true }).waitFor()
      await dialog.getByRole('searchbox').fill('nothing such')
      await dialog.getByText('No matches').waitFor()
      if (process.env['PICTURES'] !== undefined) await page.screenshot({ path: join(process.env['PICTURES'], 'logs.png') })
      await page.keyboard.press('Escape')
      await table.getByRole('button', { name: `Inspect ${busy.name}` }).click()
      await page.getByRole('dialog').getByText(`"Name": "/${busy.name}"`).waitFor()
      await page.keyboard.press('Escape')
    })

    await t.test('stopped container is missing from the next sample', async () => {
      await idle.stop()
      await measureAgain()
      const left = await listContainers(address, suffix)
      assert.deepEqual(
        left.map(({ name }) => name),
        [busy.name],
      )
    })
  },
)

async function startContainers(engine: Engine, suffix: string): Promise<{ readonly idle: Container; readonly busy: Container }> {
  const idle = await engine.run({
    name: `idle-${suffix}`,
    script: `held=$(busybox head -c ${HELD_BYTES} /dev/zero | busybox tr '\\0' x); echo ready; while :; do busybox sleep 3600; done`,
    cpuShare: 1,
  })
  const work = engine.hasNetwork ? `busybox ping -c1 -W1 -s 1400 ${idle.ip} >/dev/null` : 'busybox true'
  const busy = await engine.run({ name: `busy-${suffix}`, script: `echo ready; while :; do ${work}; done`, cpuShare: BUSY_SHARE })
  return { idle, busy }
}

/** A hub, an agent that reads the engine's containers, and a browser. */
async function startProduct(engineAddress: string) {
  await using started = new AsyncDisposableStack()
  const folder = started.use(scratchFolder())
  const data = join(folder.path, 'data')
  const agentData = join(folder.path, 'agent')
  const tokenFile = join(folder.path, 'token')
  mkdirSync(agentData)
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 })
  const address = `http://127.0.0.1:${await freePort()}`
  const hub = startProgram('hub/dist/vedette-hub.mjs', {
    args: ['--listen', address.slice('http://'.length), '--data', data, '--enroll-token-file', tokenFile, '--log-level', 'warn'],
  })
  started.defer(async () => {
    await hub.stop()
  })
  await hub.line(/listens on/)
  const startAgent = () =>
    startProgram('agent/src/main.ts', {
      environment: {
        HUB_URL: address,
        TOKEN_FILE: tokenFile,
        KEY_FILE: join(data, 'id_ed25519.pub'),
        DATA_DIR: agentData,
        DISABLE_SSH: 'true',
        DOCKER_HOST: engineAddress,
      },
    })
  let agent = startAgent()
  started.defer(async () => {
    await agent.stop()
  })
  const browser = await launchBrowser()
  started.defer(() => browser.close())
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 2400 } })
  page.setDefaultTimeout(STEP_MS)
  const kept = started.move()
  return {
    page,
    address,
    restartAgent: async (meanwhile: () => Promise<void>) => {
      await agent.stop()
      await meanwhile()
      agent = startAgent()
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function signUp(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/`)
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create admin' }).click()
  await page.getByRole('heading', { name: 'All Systems' }).waitFor()
}

async function listContainers(address: string, suffix: string): Promise<readonly ContainerRecord[]> {
  const query = new URLSearchParams({ filter: `name ~ "${suffix}"` }).toString()
  return items<ContainerRecord>(address, await signIn(address), `containers`, query)
}

/** The token of the first admin. */
async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: EMAIL, password: PASSWORD }),
    signal: AbortSignal.timeout(STEP_MS),
  })
  const { token } = (await answer.json()) as { readonly token: string } // as the records API answers
  return token
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the response's shape
async function ask<T>(address: string, token: string, path: string): Promise<T> {
  const answer = await fetch(`${address}/api/${path}`, { headers: { authorization: token }, signal: AbortSignal.timeout(STEP_MS) })
  assert.equal(answer.status, 200)
  return (await answer.json()) as T // the shape is the endpoint's
}

async function items<T>(address: string, token: string, collection: string, query = ''): Promise<readonly T[]> {
  return (await ask<{ readonly items: readonly T[] }>(address, token, `collections/${collection}/records?${query}`)).items
}

function recordOf(records: readonly ContainerRecord[], { id, name }: Container): ContainerRecord {
  const record = records.find((one) => one.id === id)
  assert.ok(record !== undefined && record.name === name)
  return record
}

const MEBIBYTE = 1024 * 1024

async function assertIdle(record: ContainerRecord, container: Container): Promise<void> {
  const { memoryBytes } = await container.figures()
  assert.ok(memoryBytes >= HELD_BYTES)
  assert.ok(
    Math.abs(record.memory * MEBIBYTE - memoryBytes) <= 0.1 * memoryBytes,
    `${record.memory} MiB, the engine says ${memoryBytes} bytes`,
  )
  assert.ok(record.cpu < 1, `${record.cpu} % of an idle container`)
}

async function assertBusy(record: ContainerRecord, container: Container, { hasNetwork }: Engine): Promise<void> {
  const earlier = await container.figures()
  const later = await container.figures()
  assertAbout(record.cpu, later.cpuPercent, 'CPU percent')
  assert.ok(record.memory > 0)
  const networkBytesPerSecond = ((later.networkBytes - earlier.networkBytes) * 1000) / (later.readAtMs - earlier.readAtMs)
  if (hasNetwork) assertAbout(record.net, networkBytesPerSecond, 'network')
}

/** Two correct measurements at different times on a busy machine: they have the same order of magnitude. */
function assertAbout(actual: number, expected: number, what: string): void {
  assert.ok(actual > expected / 4 && actual < expected * 4, `${what}: ${actual}, the engine says ${expected}`)
}
