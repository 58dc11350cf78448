import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answering, behavingSshAgent, documentReply, machineSample } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem } from './past-samples.ts'

const CONTAINER = 'abcdefabcdef'
/** Maximum number of lines that the agent returns. */
const TAIL_LINES = 200
/** Longer than the interval between two reads. */
const LATER_MS = 5_000

describe('the log of a container', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let written: string[] = []
  let reads = 0
  let failure: string | undefined
  /**
   * Set for an agent of this project: times of the lines in `written`, epoch ms. It sends the time before each line, and only lines from
   * the requested second on.
   */
  let writtenAtMs: number[] | undefined
  let sentLines = 0

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const sample = () => ({ ...machineSample, takenAtMs: Date.now(), containers: [{ name: 'web', id: CONTAINER, memoryBytes: 1e6 }] })
          const behave = answering(({ request }) => {
            if (request.action !== 'container-logs') return documentReply(sample())
            reads++
            if (failure !== undefined) return { kind: 'error', message: failure }
            const fromMs = (request.sinceSeconds ?? 0) * 1000
            const lines = written.flatMap((line, index) => {
              const atMs = writtenAtMs?.[index]
              if (atMs === undefined) return [`${line}\n`]
              return atMs < fromMs ? [] : [`${new Date(atMs).toISOString().replace('Z', '000000Z')} ${line}\n`]
            })
            const sent = lines.slice(-TAIL_LINES)
            sentLines += sent.length
            return { kind: 'text', text: sent.join('') }
          })
          const { port } = made.use(await behavingSshAgent(stores.key.publicLine, { behave }))
          await addPastSystem(stores, { name: 'gauge', port, samples: [] })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  async function openLog() {
    const page = await hub.openPage(admin)
    await page.clock.install()
    await page.goto('/system/gauge?containersGroup=none')
    const table = page.getByRole('region', { name: 'Containers', exact: true })
    await page.locator('canvas').first().waitFor()
    while ((await table.count()) === 0) await page.mouse.wheel(0, 20_000)
    await table.getByRole('button', { name: 'Logs of web' }).click()
    const dialog = page.getByRole('dialog', { name: 'Logs of web' })
    await dialog
      .getByText(written.at(-1) ?? '', { exact: true })
      .last()
      .waitFor()
    return { page, dialog }
  }

  test('container log follows new lines, stays scrolled to the end, and pauses its reads when paused or hidden', async () => {
    written = Array.from({ length: TAIL_LINES }, (_, index) => `line ${index}`)
    const { page, dialog } = await openLog()
    await using _ = page
    await auditPage(page, 'a log')
    const isAtEnd = `(() => {
      const box = document.querySelector('[role=dialog] section')
      return box.scrollHeight - box.scrollTop - box.clientHeight < 2
    })()`
    await waitUntil(page, isAtEnd)
    written.push('<b>fresh</b>')
    await page.clock.runFor(LATER_MS)
    await dialog.getByText('<b>fresh</b>', { exact: true }).waitFor()
    await waitUntil(page, isAtEnd)
    assert.equal(await dialog.getByText('line 0', { exact: true }).count(), 1, 'earlier lines stay')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    const readsBefore = reads
    written.push('unseen')
    await page.clock.runFor(60_000)
    assert.equal(reads, readsBefore)
    await dialog.getByRole('button', { name: 'Follow' }).click()
    await page.clock.runFor(LATER_MS)
    await dialog.getByText('unseen', { exact: true }).waitFor()
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await show('hidden')
    const readsHidden = reads
    await page.clock.runFor(60_000)
    assert.equal(reads, readsHidden)
    await show('visible')
    written.push(...Array.from({ length: TAIL_LINES }, (_, index) => `burst ${index}`))
    await page.clock.runFor(LATER_MS)
    await dialog.getByText('Lines are missing here').waitFor()
    await dialog.getByText('burst 0', { exact: true }).waitFor()
    failure = 'no such container'
    await page.clock.runFor(LATER_MS)
    await dialog.getByText('no such container').waitFor()
    assert.equal(await dialog.getByText('burst 0', { exact: true }).count(), 1, 'a failed read takes nothing away')
    failure = undefined
    await page.clock.runFor(LATER_MS)
    await dialog.getByText('no such container').waitFor({ state: 'detached' })
    assert.deepEqual(hub.pageErrors, [])
  })

  test('container log search counts matches, moves between them by keyboard, and keeps all lines', async () => {
    written = Array.from({ length: TAIL_LINES }, (_, index) => (index % 100 === 5 ? `An Error and an error ${index}` : `line ${index}`))
    const { page, dialog } = await openLog()
    await using _ = page
    const search = dialog.getByRole('searchbox')
    await search.fill('ERROR')
    const current = dialog.locator('mark[aria-current=true]')
    const isAt = async (count: string, text: string) => {
      await dialog.getByText(count, { exact: true }).waitFor()
      assert.equal(await current.innerText(), text)
      await waitUntil(
        page,
        `(() => {
          const { top, bottom } = document.querySelector('mark[aria-current=true]').getBoundingClientRect()
          const box = document.querySelector('[role=dialog] section').getBoundingClientRect()
          return top >= box.top && bottom <= box.bottom
        })()`,
      )
    }
    await isAt('1 of 4', 'Error')
    await search.press('Enter')
    await isAt('2 of 4', 'error')
    await search.press('Enter')
    await isAt('3 of 4', 'Error')
    await search.press('Shift+Enter')
    await search.press('Shift+Enter')
    await search.press('Shift+Enter')
    await isAt('4 of 4', 'error')
    await dialog.getByRole('button', { name: 'Next match' }).click()
    await isAt('1 of 4', 'Error')
    assert.equal(await dialog.getByText('line 0', { exact: true }).count(), 1)
    await auditPage(page, 'a searched log')
    await search.fill('.*')
    await dialog.getByText('No matches').waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })

  test('container log is copied completely, even during a search', async () => {
    written = ['one', 'two']
    const { page, dialog } = await openLog()
    await using _ = page
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('searchbox').fill('two')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').first().waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'one\ntwo\n')
  })

  test("container log of this project's agent transfers only new lines, and distinguishes equal lines by their times", async () => {
    written = Array.from({ length: TAIL_LINES }, () => 'tick')
    writtenAtMs = written.map((_, index) => Date.UTC(2026, 2, 10) + index * 1000)
    const { page, dialog } = await openLog()
    await using _ = page
    const ticks = dialog.getByText('tick', { exact: true })
    assert.equal(await ticks.count(), TAIL_LINES)
    sentLines = 0
    for (const second of [300, 301]) {
      written.push('tick')
      writtenAtMs.push(Date.UTC(2026, 2, 10) + second * 1000)
    }
    await page.clock.runFor(LATER_MS)
    await ticks.nth(TAIL_LINES + 1).waitFor()
    assert.equal(await ticks.count(), TAIL_LINES + 2)
    assert.ok(sentLines <= 2 * (1 + 2), `${sentLines} lines were sent`)
    assert.equal(await dialog.getByText('Lines are missing here').count(), 0)
    writtenAtMs = undefined
    assert.deepEqual(hub.pageErrors, [])
  })
})
