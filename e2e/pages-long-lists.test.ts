import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'

const MINUTE_MS = 60_000
const MEBIBYTE = 1024 * 1024
const CROWD = 2000
/** Number of containers in the other project. */
const FEW = 20
const ALL = CROWD + FEW
/** Far more containers than fit into the window. */
const MOST_ROWS = 100

const digits = (index: number) => String(index).padStart(4, '0')
/** Each container of the crowd uses a different number of MiB, from 1 to `CROWD`, in an order different from that of the names. */
const mebibytesOf = (index: number) => ((index * 7) % CROWD) + 1
const highest = Array.from({ length: CROWD }, (_, index) => index)
  .toSorted((a, b) => mebibytesOf(b) - mebibytesOf(a))
  .map((index) => `job-${digits(index)}`)

const container = (name: string, id: number, mebibytes: number, composeProject: string) => ({
  name,
  id: String(id).padStart(12, '0'),
  cpuPercent: 0,
  memoryBytes: mebibytes * MEBIBYTE,
  sentBytesPerSecond: 0,
  receivedBytesPerSecond: 0,
  image: 'example/image',
  status: 'Up 2 hours',
  composeProject,
})
const containers = [
  ...Array.from({ length: CROWD }, (_, index) => container(`job-${digits(index)}`, index, mebibytesOf(index), 'crowd')),
  ...Array.from({ length: FEW }, (_, index) => container(`web-${digits(index)}`, CROWD + index, 1, 'few')),
]
/** Containers that are each in their own project. */
const scattered = containers.slice(0, CROWD).map((one, index) => ({ ...one, composeProject: `project-${digits(index)}` }))

const isLong = process.env['VEDETTE_LONG'] === '1'

describe('lists of thousands of containers', { timeout: 12 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const nowMs = Date.now()
          const samples = moments(nowMs - 10 * MINUTE_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample: machineSample }))
          for (const [name, its] of Object.entries({ gauge: containers, scattered })) {
            const sample = () => ({ ...machineSample, agentVersion: ANNOUNCED_VERSION, takenAtMs: Date.now(), containers: its })
            const { port } = made.use(await sshAgent(stores.key.publicLine, sample))
            await addPastSystem(stores, { name, port, samples })
          }
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  /** Scrolls to the start or the end of the list of containers. */
  const scrollTo = (page: Page, block: 'start' | 'end') =>
    page.evaluate(`document.querySelector('section[aria-label=Containers]').scrollIntoView({ block: '${block}' })`)

  async function openContainers(page: Page, address: string) {
    await page.goto(address)
    const table = page.getByRole('region', { name: 'Containers', exact: true })
    await page.locator('canvas').first().waitFor()
    // The list loads when the user scrolls near it. A wheel event may still scroll after the next step.
    await waitUntil(page, "scrollTo(0, document.body.scrollHeight), document.querySelector('section[aria-label=Containers]') !== null")
    await scrollTo(page, 'start')
    return table
  }

  /** Rows of the table in the document, without its heading. */
  const rows = (table: Locator) => table.locator('tbody tr:not([aria-hidden])')
  const rowOf = (table: Locator, name: string) => rows(table).filter({ hasText: name })
  const names = async (table: Locator, count: number) => (await rows(table).locator('td:first-child').allInnerTexts()).slice(0, count)
  const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight')

  /** Waits until all rows near the window are rendered. */
  // Rows are added a few in each frame. Until then a placeholder stands for each; two others stand for the rows beyond the window.
  const hasAllRows = (table: Locator) =>
    waitUntil(table.page(), `document.querySelectorAll('section[aria-label=Containers] tbody tr[aria-hidden]').length <= 2`)

  async function hasFewRows(table: Locator) {
    await hasAllRows(table)
    const count = await rows(table).count()
    assert.ok(count > 10 && count < MOST_ROWS, `${count} rows are in the document`)
  }

  test('expanded list renders only rows near the window, also at its end, when sorted and when collapsed again', async () => {
    await using page = await hub.openPage(admin)
    const table = await openContainers(page, '/system/gauge?containersGroup=none')
    await rowOf(table, 'job-0014').waitFor()
    assert.equal(await rows(table).count(), 15)
    assert.equal(await table.getByRole('table').getAttribute('aria-rowcount'), null)
    await table.getByRole('button', { name: `${ALL - 15} more` }).click()
    await rowOf(table, 'job-0015').waitFor()
    await hasFewRows(table)
    assert.equal(await table.getByRole('table').getAttribute('aria-rowcount'), String(ALL + 1))
    assert.equal(await rowOf(table, 'job-0015').getAttribute('aria-rowindex'), '17')
    await auditPage(page, 'an opened list of thousands of containers')

    const height = await heightOf(page)
    await scrollTo(page, 'end')
    const last = rowOf(table, `web-${digits(FEW - 1)}`)
    await last.waitFor()
    await hasFewRows(table)
    assert.equal(await last.getAttribute('aria-rowindex'), String(ALL + 1))
    assert.equal(await heightOf(page), height, 'rows are as high as the space that stands for them')
    const ends = await Promise.all([last.boundingBox(), table.getByRole('button', { name: 'fewer' }).boundingBox()])
    assert.ok(Math.abs((ends[0]?.y ?? 0) + (ends[0]?.height ?? 0) - (ends[1]?.y ?? 0)) < 2, 'the last row ends where the footer starts')

    await scrollTo(page, 'start')
    await rowOf(table, 'job-0000').waitFor()
    await table.getByRole('button', { name: 'Memory', exact: true }).click()
    await rowOf(table, highest[0] ?? '').waitFor()
    await hasAllRows(table)
    assert.deepEqual(await names(table, 5), highest.slice(0, 5))

    await table.getByRole('searchbox').fill('web-')
    await rowOf(table, 'job').first().waitFor({ state: 'detached' })
    assert.equal(await rows(table).count(), FEW)
    await table.getByRole('searchbox').fill('')
    await rowOf(table, highest[0] ?? '').waitFor()
    await table.getByRole('button', { name: 'fewer' }).click()
    await waitUntil(page, "document.querySelectorAll('section[aria-label=Containers] tbody tr').length === 15")
    assert.deepEqual(hub.pageErrors, [])
  })

  test('Tab key moves from row to row, including rows that were not rendered before', async () => {
    await using page = await hub.openPage(admin)
    const table = await openContainers(page, '/system/gauge?containersGroup=none')
    await table.getByRole('button', { name: `${ALL - 15} more` }).click()
    await table.getByRole('button', { name: 'Logs of job-0000' }).focus()
    for (let index = 0; index < 60; index++) {
      assert.equal(
        await page.evaluate('document.activeElement?.getAttribute("aria-label")'),
        `${index % 2 === 0 ? 'Logs of' : 'Inspect'} job-${digits(Math.floor(index / 2))}`,
      )
      await page.keyboard.press('Tab')
      await waitUntil(
        page,
        'document.activeElement?.matches("tbody button") && document.activeElement.getBoundingClientRect().bottom <= innerHeight',
      )
    }
  })

  test('expanded group renders only rows near the window, and keeps its heading with the sums', async () => {
    await using page = await hub.openPage(admin)
    const table = await openContainers(page, '/system/gauge?containersGroup=project')
    const crowd = table.getByRole('button', { name: /^crowd/ })
    const few = table.getByRole('button', { name: /^few/ })
    await crowd.waitFor()
    assert.equal(await rows(table).count(), 2)
    await few.press('Enter')
    await rowOf(table, 'web-0000').waitFor()
    assert.equal(await rows(table).count(), 2 + FEW)
    await crowd.press('Enter')
    await rowOf(table, 'job-0000').waitFor()
    await hasFewRows(table)
    assert.equal(await page.evaluate('document.activeElement?.getAttribute("aria-expanded")'), 'true', 'the focus stays')
    assert.equal(await table.getByRole('table').getAttribute('aria-rowcount'), String(ALL + 3))
    await auditPage(page, 'an opened group of thousands of containers')

    const height = await heightOf(page)
    await scrollTo(page, 'end')
    const last = rowOf(table, `web-${digits(FEW - 1)}`)
    await last.waitFor()
    await hasFewRows(table)
    assert.equal(await last.getAttribute('aria-rowindex'), String(ALL + 3))
    assert.match(await table.getByRole('row', { name: /^few/ }).innerText(), /20\sMB/)
    assert.equal(await heightOf(page), height)

    await scrollTo(page, 'start')
    await crowd.waitFor()
    await table.getByRole('button', { name: 'Memory', exact: true }).click()
    await rowOf(table, highest[0] ?? '').waitFor()
    await hasAllRows(table)
    assert.deepEqual(await names(table, 4), highest.slice(0, 4))
    await crowd.press('Enter')
    await rowOf(table, 'web-0000').waitFor()
    assert.equal(await rows(table).count(), 2 + FEW)
    assert.deepEqual(hub.pageErrors, [])
  })

  if (isLong)
    test('list with thousands of groups renders only the groups near the window', async () => {
      await using page = await hub.openPage(admin)
      const table = await openContainers(page, '/system/scattered?containersGroup=project')
      await rowOf(table, 'project-0015').waitFor()
      await hasFewRows(table)
      await scrollTo(page, 'end')
      await rowOf(table, `project-${digits(CROWD - 1)}`).waitFor()
      await table.getByRole('button', { name: `project-${digits(CROWD - 1)} 1 container` }).press('Enter')
      await scrollTo(page, 'end')
      await rowOf(table, `job-${digits(CROWD - 1)}`).waitFor()
      await hasFewRows(table)
      assert.deepEqual(hub.pageErrors, [])
    })

  if (isLong)
    test('rendered rows are as high as the space reserved for them, in both densities', async () => {
      await using page = await hub.openPage(admin)
      for (const density of [null, 'compact'])
        for (const [system, grouping] of [
          ['gauge', 'project'],
          ['scattered', 'project'],
          ['gauge', 'none'],
        ] as const) {
          await hub.send(admin, 'PATCH', '/api/account/settings', { merge: { density } })
          const table = await openContainers(page, `/system/${system}?containersGroup=${grouping}`)
          await page.locator(`html[data-density='${density ?? ''}']`).waitFor()
          if (grouping === 'none') await table.getByRole('button', { name: `${ALL - 15} more` }).click()
          else if (system === 'gauge') await table.getByRole('button', { name: /^crowd/ }).click()
          await scrollTo(page, 'end')
          await waitUntil(page, "document.querySelector('section[aria-label=Containers] tbody tr:first-child[aria-hidden]') !== null")
          const heights = await page.evaluate<readonly number[]>(
            "[...document.querySelectorAll('section[aria-label=Containers] tbody tr:not([aria-hidden])')].map((row) => row.getBoundingClientRect().height)",
          )
          const expected = density === 'compact' ? 28 : 36
          assert.deepEqual(new Set(heights), new Set([expected]), `${density ?? 'comfortable'}, ${system}, ${grouping}`)
        }
      await hub.send(admin, 'PATCH', '/api/account/settings', { merge: { density: null } })
    })

  test('visible rows stay in view when the page above them shrinks or grows', async () => {
    await using page = await hub.openPage(admin)
    const table = await openContainers(page, '/system/gauge?containersGroup=none')
    await table.getByRole('button', { name: `${ALL - 15} more` }).click()
    await scrollTo(page, 'end')
    await rowOf(table, `web-${digits(FEW - 1)}`).waitFor()
    await page.evaluate("document.documentElement.style.overflowAnchor = 'none'")
    await page.evaluate("document.querySelector('main').style.paddingTop = '5000px'")
    await waitUntil(
      page,
      `[...document.querySelectorAll('section[aria-label=Containers] tbody tr:not([aria-hidden])')]
        .some((row) => Math.abs(row.getBoundingClientRect().top - innerHeight / 2) < 50)`,
    )
  })

  test('expanded list and expanded group are printed with all rows', async () => {
    await using page = await hub.openPage(admin)
    for (const [grouping, opener, lines] of [
      ['none', `${ALL - 15} more`, ALL],
      ['project', /^crowd/, CROWD + 2],
    ] as const) {
      const table = await openContainers(page, `/system/gauge?containersGroup=${grouping}`)
      await table.getByRole('button', { name: opener }).click()
      await rowOf(table, 'job-0000').waitFor()
      await hasFewRows(table)
      await page.emulateMedia({ media: 'print' })
      await waitUntil(page, `document.querySelectorAll('section[aria-label=Containers] tbody tr').length === ${lines}`)
      await page.emulateMedia({ media: 'screen' })
      await waitUntil(page, `document.querySelectorAll('section[aria-label=Containers] tbody tr').length < ${MOST_ROWS}`)
    }
    assert.deepEqual(hub.pageErrors, [])
  })
})
