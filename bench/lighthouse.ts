import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { browserProgram } from '../e2e/browser.ts'
import { startPagesHub, type PagesHub, type Session } from '../e2e/pages-hub.ts'
import { addPastSystem, moments } from '../e2e/past-samples.ts'
import { scratchFolder } from '../e2e/programs.ts'
import { richMachine } from '../e2e/rich-machine.ts'
import { sshAgent } from '../hub/test/scripted-agent.ts'
import { ensureHub } from '../tools/build-hub.ts'
import { ensureDashboard } from '../tools/dashboard.ts'
import { median } from './bench-pages.ts'
import { freePort } from '../tools/free-port.ts'

// node bench/lighthouse.ts FOLDER: scores of All Systems and of a system page. FOLDER is where `npm install lighthouse` was run, whose 85
// packages the repository does not have.

const RUNS = 5
const SYSTEMS = 10
const MINUTE_MS = 60_000
const SEEDED_MS = 180 * MINUTE_MS
/** Object from Lighthouse category, such as `accessibility`, to the minimum score, 0 to 100. A lower score fails the run. */
const leastScores = { performance: 85, accessibility: 95, 'best-practices': 95 } as const
type Category = keyof typeof leastScores
const categories = Object.keys(leastScores) as Category[] // the names of a constant object are its keys

type Listed = { readonly items: readonly { readonly id: string }[] }
type Lighthouse = (
  url: string,
  flags: object,
) => Promise<{ readonly lhr: { readonly categories: Readonly<Record<Category, { readonly score: number }>> } }>

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Cannot start: name the folder where "npm install lighthouse" was run')
const program = pathToFileURL(resolve(folder, join('node_modules', 'lighthouse', 'core', 'index.js'))).href
const { default: lighthouse } = (await import(program)) as { readonly default: Lighthouse } // as the package documents it

/**
 * Starts a hub for the Lighthouse benchmark, with 10 systems and 3 h of stored samples. Resolves with the hub and the session of its new
 * admin.
 */
async function startSeededHub(stack: AsyncDisposableStack): Promise<{ readonly hub: PagesHub; readonly admin: Session }> {
  await ensureHub()
  await ensureDashboard()
  const hub = stack.use(
    await startPagesHub({
      async prepare(stores) {
        const { port } = stack.use(await sshAgent(stores.key.publicLine, () => richMachine))
        const samples = moments(Date.now() - SEEDED_MS, Date.now(), MINUTE_MS).map((atMs) => ({ atMs, sample: richMachine }))
        for (let index = 0; index < SYSTEMS; index++) await addPastSystem(stores, { name: `web-${index}`, port, samples })
      },
    }),
  )
  const admin = await hub.createAdmin()
  const { items } = (await hub.send(admin, 'GET', '/api/collections/systems/records')) as Listed // as this route answers
  for (const { id } of items) await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { users: [admin.record.id] })
  return { hub, admin }
}

/** Starts Chromium, signed in to the hub. Resolves with its remote debugging port, which Lighthouse uses. */
async function startChromium(stack: AsyncDisposableStack, address: string, admin: Session): Promise<number> {
  const profile = stack.use(scratchFolder())
  const port = await freePort()
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile.path}`]
  const child = spawn(await browserProgram(), [...args, `--remote-debugging-port=${port}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  stack.defer(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('DevTools listening')) break
  child.stderr.resume()
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const page = await browser.contexts()[0]?.newPage()
  await page?.goto(address)
  await page?.evaluate(`localStorage.setItem('pocketbase_auth', ${JSON.stringify(JSON.stringify(admin))})`)
  await page?.close()
  await browser.close()
  return port
}

await using stack = new AsyncDisposableStack()
const { hub, admin } = await startSeededHub(stack)
const port = await startChromium(stack, hub.address, admin)
for (const [name, path] of [
  ['All Systems', '/'],
  ['a system page', '/system/web-1'],
] as const) {
  const scores: Readonly<Record<Category, number[]>> = { performance: [], accessibility: [], 'best-practices': [] }
  for (let run = 0; run < RUNS; run++) {
    // A phone and a processor slowed 4 times are the default.
    const { lhr } = await lighthouse(hub.address + path, { port, logLevel: 'error', onlyCategories: categories })
    for (const category of categories) scores[category].push(lhr.categories[category].score * 100)
  }
  for (const category of categories) {
    const score = median(scores[category])
    if (score < leastScores[category]) process.exitCode = 1
    console.log(`${name}: ${category} ${score} (at least ${leastScores[category]}); all: ${scores[category].join(', ')}`)
  }
}
