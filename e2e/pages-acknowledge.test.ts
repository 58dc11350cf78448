import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { ACKNOWLEDGE_LINKS } from '../hub/src/alerts/notifications/acknowledge-link.ts'
import { secretBox } from '../hub/src/platform/secrets/secret-box.ts'
import { signedValues } from '../hub/src/platform/secrets/signed-token.ts'
import { makeMemoryFolder } from '../hub/test/memory-folder.ts'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const KEY = 'the secret key of a hub in this test'
const HOUR_MS = 3_600_000
const PHONE = { viewport: { width: 360, height: 740 } } as const

/** The page that a link in a message about an alert opens. */
describe('links that acknowledge', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const links = signedValues(secretBox(createHash('sha256').update(KEY).digest()), ACKNOWLEDGE_LINKS)
  let hub: PagesHub
  let admin: Session
  let database: DatabaseSync

  const linkOf = (incident: string, expiresMs = Date.now() + HOUR_MS) =>
    `/acknowledge#${links.sign([incident, admin.record.id], expiresMs) ?? assert.fail('not signed')}`
  const acknowledgerOf = (incident: string) =>
    database.prepare('select acknowledger from incidents where id = ?').get(incident)?.['acknowledger']

  before(async () => {
    const directory = makeMemoryFolder('vedette-acknowledge-')
    made.defer(() => rmSync(directory, { recursive: true, force: true }))
    let system = ''
    hub = made.use(
      await startPagesHub({
        directory,
        args: ['--secret-key', KEY],
        prepare: async ({ database: prepared, store }) => {
          const values = { name: 'router', host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {} }
          system = (await prepared.write((unit) => store.insert(unit, 'systems', values))).id
        },
      }),
    )
    admin = await hub.createAdmin()
    database = new DatabaseSync(join(directory, 'data', 'vedette.sqlite'), { timeout: 10_000 })
    made.defer(() => database.close())
    const [beganMs, owner] = [Date.now() - 600_000, admin.record.id]
    const incident = database.prepare(
      `insert into incidents (id, alert, owner, system, kind, target, threshold, minutes, began, ended, ending) values (?, 'a', ?, ?, 'Status', '', 0, 1, ?, ?, ?)`,
    )
    const notice = database.prepare(
      `insert into notices (id, incident, transition, owner, system, at, state, due, body) values (?, ?, 'fired', ?, ?, ?, 'handed', ?, ?)`,
    )
    for (const [id, ended] of [
      ['i1', null],
      ['i2', null],
      ['i3', beganMs + 60_000],
    ] as const) {
      incident.run(id, owner, system, beganMs, ended, ended === null ? '' : 'resolved')
      notice.run(`n${id}`, id, owner, system, beganMs, beganMs, JSON.stringify({ systemName: 'router', kind: 'Status', beganMs }))
    }
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  test('a link shows its alert, acknowledges it by keyboard on a phone, and sends its token only in bodies', async () => {
    await using page = await hub.openPage(undefined, PHONE)
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url(), JSON.stringify(request.headers())))
    const link = linkOf('i1')
    await page.goto(link)
    await page.getByRole('heading', { name: 'Acknowledge alert' }).waitFor()
    await page.getByText('router: Status').waitFor()
    await auditPage(page, 'page of a link that acknowledges')
    await page.setViewportSize(PHONE.viewport)
    // Opening the page changed nothing.
    assert.equal(acknowledgerOf('i1'), '')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    assert.equal(await page.getByLabel('Your name').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Your name').focus()
    await page.keyboard.type('Ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type('cable is being replaced')
    await page.keyboard.press('Enter')
    await page.getByText('Acknowledged by Ada (by link)').waitFor()
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' })
    assert.equal(acknowledgerOf('i1'), 'Ada (by link)')
    const token = link.split('#')[1] ?? ''
    assert.ok(sent.length > 4 && !sent.some((one) => one.includes(token)))

    await using dashboard = await hub.openPage(admin)
    await dashboard.goto('/alerts')
    await dashboard.getByText('Acknowledged by Ada (by link): cable is being replaced').waitFor()
  })

  test('a link that was used shows who acknowledged, and snoozes the alert in the language of the browser', async () => {
    await using page = await hub.openPage(undefined, { ...PHONE, locale: 'de-DE', colorScheme: 'dark' })
    const link = linkOf('i2')
    for (const name of ['Ada', '<b>Bert</b>']) {
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByLabel('Dein Name').fill(name)
      await choose(page, 'Wieder erinnern', 'in 4 Stunden')
      await page.getByRole('button', { name: 'Bestätigen' }).click()
      await page.getByText(`Zurückgestellt von ${name} (per Link) bis`).waitFor()
    }
    await page.reload()
    await page.getByText('Zurückgestellt von <b>Bert</b> (per Link) bis').waitFor()
    await auditPage(page, 'page of a link that was used')
  })

  test('a link says when its alert is over, also when it ends while the page is open', async () => {
    await using page = await hub.openPage(undefined, PHONE)
    await page.goto(linkOf('i3'))
    await page.getByText('The alert is over.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Acknowledge' }).count(), 0)
    await auditPage(page, 'page of a link whose alert is over')
    await page.goto(linkOf('i1'))
    await page.getByLabel('Your name').fill('Late')
    database.prepare(`update incidents set ended = ?, ending = 'resolved' where id = 'i1'`).run(Date.now())
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('The alert is over.').waitFor()
    assert.equal(acknowledgerOf('i1'), 'Ada (by link)')
  })

  test('a link that is not valid says so, with and without a session, and a failed request can be repeated', async () => {
    for (const session of [undefined, admin]) {
      await using page = await hub.openPage(session, PHONE)
      for (const link of [linkOf('i2', Date.now() - 1000), `${linkOf('i2')}x`, '/acknowledge', `/acknowledge#${'x'.repeat(5000)}`]) {
        await page.goto('about:blank')
        await page.goto(link)
        await page.getByRole('alert').getByText('This link is not valid, or it has expired.').waitFor()
      }
      await auditPage(page, 'page of a link that is not valid')
    }
    await using page = await hub.openPage(undefined, PHONE)
    await page.route('**/acknowledgement/view', (route) =>
      route.fulfill({ status: 403, json: { status: 403, message: 'Broken.', data: {} } }),
    )
    await page.goto(linkOf('i2'))
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Your name').waitFor()
  })
})
