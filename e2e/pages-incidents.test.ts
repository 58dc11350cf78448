import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { tagFields } from '../hub/src/records/model/tag.ts'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { makeMemoryFolder } from '../hub/test/memory-folder.ts'

const systems = { router: [], shop: ['router'], till: ['missing'], one: ['two'], two: ['one'] } as const

/** Pages that show which alerts an outage of another system silences, and who acknowledged which alert. */
describe('incidents', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  const ids = new Map<string, string>()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    const directory = makeMemoryFolder('vedette-silenced-')
    made.defer(() => rmSync(directory, { recursive: true, force: true }))
    hub = made.use(
      await startPagesHub({
        directory,
        prepare: async ({ database, store }) => {
          for (const [name, upstreams] of Object.entries(systems)) {
            const tags = tagFields(upstreams.map((upstream) => ({ tag: `behind=${upstream}`, sources: ['admin'] })))
            const values = { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: {}, ...tags }
            const { id } = await database.write((unit) => store.insert(unit, 'systems', values))
            ids.set(name, id)
          }
        },
      }),
    )
    admin = await hub.createAdmin()
    using database = new DatabaseSync(join(directory, 'data', 'vedette.sqlite'), { timeout: 10_000 })
    const insert =
      database.prepare(`insert into incidents (id, alert, owner, system, kind, target, threshold, minutes, value, began, ended, ending, cause)
      values (?, 'a', ?, ?, 'Status', '', 0, 1, null, ?, ?, ?, ?)`)
    const [shop = '', router = ''] = [ids.get('shop'), ids.get('router')]
    const [beganMs, owner] = [Date.now() - 600_000, admin.record.id]
    insert.run('i1', owner, shop, beganMs, null, '', router)
    insert.run('i2', owner, shop, beganMs - 600_000, beganMs - 300_000, 'resolved', router)
    insert.run('i3', owner, router, beganMs, null, '', '')
    insert.run('i4', owner, shop, beganMs - 900_000, beganMs - 800_000, 'resolved', 'deleted')
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  test('the page Alerts shows which messages were not sent, and why', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/alerts')
    const firing = page.getByRole('region', { name: 'Firing now' })
    const silenced = firing.getByRole('listitem').filter({ hasText: 'shop' })
    await silenced.getByText('Not sent, because router is down').waitFor()
    assert.equal(await firing.getByRole('listitem').filter({ hasText: 'router' }).getByText('Not sent').count(), 1)
    await page.getByText('Not sent, because router was down').waitFor()
    await page.getByText('Not sent, because of an outage').waitFor()
    await auditPage(page, 'silenced alerts')
  })

  for (const [system, sentence] of [
    ['shop', 'Behind router: while your alert says that router is down, no messages are sent about this system.'],
    ['till', 'The tag behind=missing does nothing: you see no system with this name.'],
    ['one', 'The tag behind=two does nothing: these systems are behind each other.'],
  ] as const)
    test(`the alert sheet says what the tag "behind" of ${system} does`, async () => {
      await using page = await hub.openPage(admin, { viewport: { width: 360, height: 740 } })
      await page.goto(`/system/${system}`)
      await page.getByRole('button', { name: 'Alerts', exact: true }).click()
      await page.getByRole('dialog').getByText(sentence).waitFor()
      await auditPage(page, `upstream of ${system}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.deepEqual(await page.getByText(/^(live|connecting)/).allTextContents(), ['live'])
    })

  test('an alert is acknowledged with a note, and snoozed until a time', async () => {
    await using page = await hub.openPage(admin, { viewport: { width: 360, height: 740 } })
    await page.goto('/alerts')
    const firing = page.getByRole('region', { name: 'Firing now' })
    await firing.getByRole('button', { name: /^Acknowledge router: / }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Note').fill('cable is being replaced')
    await auditPage(page, 'acknowledge dialog')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await firing.getByText(/^Acknowledged by .*: cable is being replaced$/).waitFor()
    await firing.getByRole('button', { name: /^Acknowledge router: / }).click()
    assert.equal(await dialog.getByLabel('Note').inputValue(), 'cable is being replaced')
    await choose(page, 'Remind me again', 'in 4 hours')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await firing.getByText(/^Snoozed by .* until .*: cable is being replaced$/).waitFor()
    await auditPage(page, 'acknowledged alerts')
    await firing.getByRole('button', { name: /^Acknowledge router: / }).click()
    await dialog.getByLabel('Note').fill('turned \u202e around')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await dialog.getByText('Must not contain control characters.').waitFor()
    await dialog.getByLabel('Note').fill('cable\tarrived')
    await dialog.getByRole('button', { name: 'Acknowledge' }).click()
    await firing.getByText(/^Acknowledged by .*: cable arrived$/).waitFor()
  })

  test('an acknowledgement is refused when it is not valid, when the alert is over, and for the alerts of other people', async () => {
    const other = await hub.createUser('other@example.com', 'user')
    const statusOf = async (session: Session, incident: string, body: object) => {
      const response = await fetch(`${hub.address}/api/vedette/incidents/${incident}/acknowledge`, {
        method: 'POST',
        headers: { authorization: session.token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return response.status
    }
    assert.equal(await statusOf(admin, 'i1', { note: 'x'.repeat(501) }), 400)
    for (const snoozeMinutes of [0, 4, 10_081, 7.5, -1, '60', null]) assert.equal(await statusOf(admin, 'i1', { snoozeMinutes }), 400)
    assert.equal(await statusOf(admin, 'i2', {}), 409)
    assert.equal(await statusOf(admin, 'none', {}), 404)
    assert.equal(await statusOf(other, 'i1', {}), 404)
    assert.equal(await statusOf(admin, 'i1', { note: ' known ' }), 204)
    assert.equal(await statusOf(admin, 'i1', { note: 'again' }), 204)
    const found = await hub.send(admin, 'GET', '/api/vedette/incidents?state=firing')
    const { items } = found as { readonly items: readonly { readonly id: string; readonly note: string }[] } // as the route declares
    assert.equal(items.find(({ id }) => id === 'i1')?.note, 'again')
  })

  test('the interval of reminders is set on the page of notifications', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings#notifications')
    await choose(page, 'Reminders', 'every 30 min')
    await page.reload()
    await page.getByRole('combobox', { name: 'Reminders' }).filter({ hasText: 'every 30 min' }).waitFor()
    const settings = async () => ((await hub.send(admin, 'GET', '/api/account/settings')) as { readonly settings: object }).settings // as the route declares
    assert.deepEqual(await settings(), { ...(await settings()), remindMinutes: 30 })
    await choose(page, 'Reminders', 'none')
    await page.reload()
    await page.getByRole('combobox', { name: 'Reminders' }).filter({ hasText: 'none' }).waitFor()
    assert.equal('remindMinutes' in (await settings()), false)
    await auditPage(page, 'notification settings with reminders')
  })

  test('the language of notifications is set on the page of notifications', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings#notifications')
    await choose(page, 'Language of notifications', 'Deutsch')
    await page.reload()
    await page.getByRole('combobox', { name: 'Language of notifications' }).filter({ hasText: 'Deutsch' }).waitFor()
    const { settings } = (await hub.send(admin, 'GET', '/api/account/settings')) as { readonly settings: { readonly language?: string } } // as the route declares
    assert.equal(settings.language, 'de')
    // The pages keep their own language.
    await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
  })
})
