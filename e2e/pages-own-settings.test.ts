import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

type StoredSettings = { readonly [name: string]: unknown }

/** Settings of one user in several browsers: no change is lost, and each browser shows the settings that the hub applies. */
describe('own settings in several browsers', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const openSettings = async (options: BrowserContextOptions = {}, session = admin) => {
    const page = await hub.openPage(session, options)
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    return page
  }
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const stored = async (session: Session): Promise<StoredSettings> => {
    // An admin can read the settings of all users, so filter by user.
    const list = await hub.send(session, 'GET', `/api/collections/user_settings/records?filter=user='${session.record.id}'`)
    return (list as { readonly items: readonly [{ readonly settings: StoredSettings }] }).items[0].settings // the person's only record
  }
  const choose = async (page: Page, name: string, label: string, choice: string) => {
    await card(page, name).getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: choice, exact: true }).click()
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
  })

  after(() => hub[Symbol.asyncDispose]())

  test('tabs that save at the same time lose no addresses, display settings or quiet hours', async () => {
    const person = await hub.createUser('two-tabs@example.com', 'user')
    const pages = await Promise.all(['one', 'two', 'three'].map(() => openSettings({}, person)))
    const [one, two, three] = pages as [Page, Page, Page] // as many as were asked for
    for (const page of pages)
      await card(page, 'Notifications')
        .getByText('two-tabs@example.com')
        .or(card(page, 'Notifications').getByLabel('Email addresses'))
        .first()
        .waitFor()
    const addresses = ['first@example.com', 'second@example.com', 'third@example.com']
    await Promise.all(
      pages.map(async (page, index) => {
        const notifications = card(page, 'Notifications')
        const stored = settingsStored(page)
        await notifications.getByLabel('Email addresses').fill(addresses[index] ?? '')
        await notifications.getByLabel('Email addresses').press('Enter')
        await notifications.getByText(addresses[index] ?? '', { exact: true }).waitFor()
        await stored
      }),
    )
    assert.deepEqual([...((await stored(person))['emails'] as string[])].toSorted(), [...addresses, 'two-tabs@example.com'].toSorted()) // as the pages stored them
    await Promise.all([
      choose(one, 'Display', 'Temperature unit', '°F').then(() => card(one, 'Display').getByText('Saved', { exact: true }).waitFor()),
      choose(two, 'Display', 'Disk I/O unit', 'Bits per second').then(() =>
        card(two, 'Display').getByText('Saved', { exact: true }).waitFor(),
      ),
      card(three, 'Quiet hours')
        .getByRole('button', { name: 'Add quiet hours' })
        .click()
        .then(() =>
          card(three, 'Quiet hours')
            .getByText(/^Every day, /)
            .waitFor(),
        ),
    ])
    const settings = await stored(person)
    assert.deepEqual([settings['unitTemp'], settings['unitDisk'], typeof settings['quietZone']], [3, 1, 'string'])
    assert.equal((settings['emails'] as string[]).length, 4) // as the pages stored them
  })

  test("settings page of an admin shows and changes the admin's own settings, not an older record of another user", async () => {
    await using page = await openSettings()
    const notifications = card(page, 'Notifications')
    const isStored = settingsStored(page)
    await notifications.getByLabel('Email addresses').fill('admin-only@example.com')
    await notifications.getByLabel('Email addresses').press('Enter')
    await notifications.getByText('admin-only@example.com', { exact: true }).waitFor()
    assert.equal(await notifications.getByText('first@example.com', { exact: true }).count(), 0)
    assert.equal(
      await card(page, 'Quiet hours')
        .getByText(/^Every day, /)
        .count(),
      0,
    )
    await isStored
    assert.ok(((await stored(admin))['emails'] as string[]).includes('admin-only@example.com')) // as the page stored them
  })

  test('quiet hours have one time zone, which every browser shows in winter and summer and takes from the hub', async () => {
    await using berlin = await openSettings({ timezoneId: 'Europe/Berlin' })
    const quiet = card(berlin, 'Quiet hours')
    await quiet.getByRole('combobox', { name: 'Time zone of quiet hours' }).getByText('Europe/Berlin').waitFor()
    await quiet.getByRole('button', { name: 'Add quiet hours' }).click()
    await quiet.getByText('Every day, 10:00 PM – 7:00 AM').waitFor()
    assert.equal((await stored(admin))['quietZone'], 'Europe/Berlin')

    await using newYork = await hub.openPage(admin, { timezoneId: 'America/New_York' })
    for (const day of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z', '2026-03-29T00:59:00Z']) {
      await newYork.clock.setFixedTime(new Date(day))
      await newYork.goto('/settings')
      const there = card(newYork, 'Quiet hours')
      await there.getByText('Every day, 10:00 PM – 7:00 AM').waitFor()
      await there.getByRole('combobox', { name: 'Time zone of quiet hours' }).getByText('Europe/Berlin').waitFor()
    }

    // A change of the zone keeps the times of day. A page that still shows the old zone must not add quiet hours in it.
    await choose(newYork, 'Quiet hours', 'Time zone of quiet hours', 'America/New York')
    await card(newYork, 'Quiet hours').getByRole('combobox', { name: 'Time zone of quiet hours' }).getByText('America/New York').waitFor()
    await card(newYork, 'Quiet hours').getByText('Every day, 10:00 PM – 7:00 AM').waitFor()
    assert.equal((await stored(admin))['quietZone'], 'America/New_York')
    await quiet.getByLabel('From', { exact: true }).fill('12:00')
    await quiet.getByLabel('To', { exact: true }).fill('13:00')
    await quiet.getByRole('button', { name: 'Add quiet hours' }).click()
    await quiet.getByText('The time zone of your quiet hours was changed elsewhere.').waitFor()
    await quiet.getByRole('combobox', { name: 'Time zone of quiet hours' }).getByText('America/New York').waitFor()
    assert.equal(await quiet.getByLabel('From', { exact: true }).inputValue(), '12:00')
    await quiet.getByRole('button', { name: 'Add quiet hours' }).click()
    await quiet.getByText('Every day, 12:00 PM – 1:00 PM').waitFor()
    await auditPage(berlin, 'quiet hours')
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
