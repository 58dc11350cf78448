import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { countedInterfaces } from './own-interfaces.ts'
import { scratchFolder, startProgram, type Program } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const EMAIL = 'admin@example.com'
const PASSWORD = 'correct horse battery'
const TOKEN = 'token-of-this-machine-for-the-walk'

/** Timeout of a step on a busy machine. Each step waits for an event, not for a fixed time. */
const STEP_MS = 120_000

const alwaysDrawn = ['Total CPU Usage', 'Total Memory Usage', 'Disk Usage', 'Disk I/O', 'Bandwidth']

/** The product in the order of a new user. Each step continues where the previous one ended. */
describe('new hub, this machine, and a real browser', { timeout: 10 * STEP_MS }, () => {
  const folder = scratchFolder()
  const data = join(folder.path, 'data')
  const stops: (() => Promise<unknown>)[] = []
  const machine = hostname()
  const errors: string[] = []
  let browser: Browser
  let page: Page
  let address: string
  let port: number
  let hub: Program
  let agent: Program
  let lost = false

  /** One step. After a failed step the later steps fail too. */
  function step(name: string, walk: () => Promise<void>): void {
    test(name, async () => {
      assert.ok(!lost, 'an earlier step failed')
      lost = true
      await walk()
      lost = false
    })
  }

  async function startHub(): Promise<void> {
    hub = startProgram('hub/dist/vedette-hub.mjs', {
      args: ['--listen', `127.0.0.1:${port}`, '--data', data, '--enroll-token-file', join(data, 'agent', 'token'), '--log-level', 'warn'],
    })
    await hub.line(/listens on/)
  }

  function startAgent(name: string, environment: Readonly<Record<string, string>>): Program {
    const directory = join(folder.path, name)
    mkdirSync(directory, { recursive: true })
    return startProgram('agent/src/main.ts', {
      environment: { KEY_FILE: join(data, 'id_ed25519.pub'), DATA_DIR: directory, ...countedInterfaces, ...environment },
    })
  }

  const startThisMachine = () => startAgent('agent', { HUB_URL: address, TOKEN_FILE: join(data, 'agent', 'token'), DISABLE_SSH: 'true' })

  const statusOf = (name: string) => page.getByRole('row', { name: new RegExp(name) }).locator('[data-status]')
  const iconOf = () => page.locator('link[rel=icon]')

  before(async () => {
    port = await freePort()
    address = `http://127.0.0.1:${port}`
    await startHub()
    mkdirSync(join(data, 'agent'), { recursive: true })
    writeFileSync(join(data, 'agent', 'token'), TOKEN, { mode: 0o600 })
    agent = startThisMachine()
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 2400 } })
    page.setDefaultTimeout(STEP_MS)
    page.on('pageerror', (error) => errors.push(error.message))
    stops.push(
      () => browser.close(),
      () => agent.stop(),
      () => hub.stop(),
    )
  })

  after(async () => {
    for (const stop of stops) await stop()
    folder[Symbol.dispose]()
  })

  step('§2 login: the first visit shows only the form of the first admin', async () => {
    await page.goto(`${address}/`)
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    assert.equal(await page.getByRole('navigation').count(), 0)
    await page.getByRole('button', { name: 'Create admin' }).click()
    await page.getByRole('heading', { name: 'All Systems' }).waitFor()
    assert.equal(await page.title(), 'Dashboard / Vedette')
  })

  step('§2 dashboard: this machine is on the list by itself, up, with live values', async () => {
    const row = page.getByRole('row', { name: new RegExp(machine) })
    await statusOf(machine).and(page.locator('[data-status=up]')).waitFor()
    assert.ok(Number(await row.getByRole('meter', { name: 'Memory' }).getAttribute('aria-valuenow')) > 0)
    assert.match((await iconOf().getAttribute('href')) ?? '', /green/)
  })

  step('§2 system page: header and every chart that this machine has are drawn', async () => {
    await page.getByRole('link', { name: machine, exact: true }).click()
    await page.getByRole('heading', { name: machine }).waitFor()
    assert.equal(await page.title(), `${machine} / Vedette`)
    assert.equal(new URL(page.url()).pathname, `/system/${encodeURIComponent(machine)}`)
    const swap = /^SwapTotal:\s+([1-9]\d*)/m.test(readFileSync('/proc/meminfo', 'utf8'))
    for (const title of [...alwaysDrawn, ...(swap ? ['Swap Usage'] : [])]) {
      const card = page.getByRole('region', { name: title, exact: true })
      await card.locator('canvas').waitFor()
    }
    if (!swap) assert.equal(await page.getByRole('region', { name: 'Swap Usage' }).count(), 0)
  })

  step('§4 time range: the address contains the range, and leaving the page resets it', async () => {
    await page.getByRole('group', { name: 'Time range' }).getByRole('button', { name: '12 hours' }).click()
    await page.waitForURL(/range=12h/)
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await page.getByRole('link', { name: machine, exact: true }).click()
    await page.getByRole('heading', { name: machine }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
  })

  step('§2 browser icon: a stopped agent changes the status to down and the icon to red, without a reload', async () => {
    await agent.stop()
    await statusOf(machine).and(page.locator('[data-status=down]')).waitFor()
    await page.locator('link[rel=icon][href*=red]').waitFor({ state: 'attached' })
  })

  step('§4 system status: a restarted agent changes the status back to up', async () => {
    agent = startThisMachine()
    await statusOf(machine).and(page.locator('[data-status=up]')).waitFor()
    await page.locator('link[rel=icon][href*=green]').waitFor({ state: 'attached' })
  })

  step('§7 realtime: page and agent reconnect to a restarted hub by themselves', async () => {
    await hub.stop()
    await page.getByText('reconnecting…').waitFor()
    await startHub()
    await page.getByText('live', { exact: true }).waitFor()
    await statusOf(machine).and(page.locator('[data-status=up]')).waitFor()
    // A restart does not mark systems as down, so "up" does not yet mean that the agent has reconnected.
    await agent.line(/Connected to the hub/, 2)
  })

  step('§2 Add System: the dialog adds a second agent over SSH', async () => {
    const agentPort = await freePort()
    const second = startAgent('second', { LISTEN: `127.0.0.1:${agentPort}` })
    stops.unshift(() => second.stop())
    await page.getByRole('button', { name: 'Add System' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('second')
    await dialog.getByLabel('Host').fill('127.0.0.1')
    assert.equal(await dialog.getByLabel('Port').inputValue(), '45876')
    await dialog.getByLabel('Port').fill(String(agentPort))
    const key = readFileSync(join(data, 'id_ed25519.pub'), 'utf8').trim()
    const publicKey = dialog.getByLabel('Public Key', { exact: true })
    await publicKey.and(dialog.locator('[value^=ssh-ed25519]')).waitFor()
    assert.equal(await publicKey.inputValue(), key)
    assert.match(
      (await dialog.getByLabel('Compose definition of the agent', { exact: true }).textContent()) ?? '',
      new RegExp(`PORT: ${agentPort}[\\s\\S]*KEY: "ssh-ed25519 `),
    )
    await dialog.getByRole('button', { name: 'Add System' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/')
    await statusOf('second').and(page.locator('[data-status=up]')).waitFor()
  })

  step('§6 roles: signing out shows only the login, signing in shows the list again', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Failed to authenticate.').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: machine, exact: true }).waitFor()
  })

  step('no page threw an error, and both programs exit cleanly', async () => {
    assert.deepEqual(errors, [])
    assert.equal(await agent.stop(), 0)
    assert.equal(await hub.stop(), 0)
    assert.equal(hub.errors(), '')
  })
})
