import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeMemoryFolder } from '../hub/test/memory-folder.ts'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const MINUTE_MS = 60_000

/** Page Alerts of a person to whom the alert of another one is escalated. */
describe('escalated alerts', { timeout: 5 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  let ada: Session
  let bob: Session
  let eve: Session
  let system = ''

  before(async () => {
    const directory = makeMemoryFolder('vedette-escalated-')
    made.defer(() => rmSync(directory, { recursive: true, force: true }))
    hub = made.use(await startPagesHub({ directory }))
    admin = await hub.createAdmin()
    ada = await hub.createUser('ada@example.com', 'admin')
    bob = await hub.createUser('bob@example.com', 'user')
    eve = await hub.createUser('eve@example.com', 'user')
    await hub.send(admin, 'PATCH', `/api/collections/users/records/${ada.record.id}`, { name: 'Ada' })
    await hub.send(admin, 'PATCH', `/api/collections/users/records/${bob.record.id}`, { name: 'Bob' })
    await hub.send(bob, 'PATCH', '/api/account/settings', { add: { webhooks: ['generic+https://pager.example.com/hook'] } })
    const values = { name: 'web', host: '127.0.0.1', port: '1', status: 'paused', users: [bob.record.id, eve.record.id] }
    system = ((await hub.send(admin, 'POST', '/api/collections/systems/records', values)) as { readonly id: string }).id // a record
    using database = new DatabaseSync(join(directory, 'data', 'vedette.sqlite'), { timeout: 10_000 })
    const beganMs = Date.now() - 10 * MINUTE_MS
    const owner = ada.record.id
    database
      .prepare(
        `insert into incidents (id, alert, owner, system, kind, target, threshold, minutes, value, began, ended, ending, unanswered)
        values ('i1', 'a', ?, ?, 'CPU', '', 80, 10, 93, ?, null, '', ?)`,
      )
      .run(owner, system, beganMs, beganMs)
    const body = JSON.stringify({ systemName: 'web', kind: 'CPU', value: 93, threshold: 80, minutes: 10, beganMs })
    database
      .prepare(
        `insert into notices (id, incident, transition, owner, system, at, state, due, body)
        values ('n1', 'i1', 'fired', ?, ?, ?, 'handed', ?, ?)`,
      )
      .run(owner, system, beganMs, beganMs, body)
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await made.disposeAsync()
  })

  const open = async (session: Session): Promise<Page & AsyncDisposable> => {
    const page = await hub.openPage(session)
    // The page's subscription is complete when the hub has answered it.
    const subscribed = page.waitForResponse(
      (response) => response.url().endsWith('/api/realtime') && (response.request().postData() ?? '').includes('"incidents"'),
    )
    await page.goto('/alerts')
    await subscribed
    return page
  }
  const firing = (page: Page) => page.getByRole('region', { name: 'Firing now' })
  const statusOf = async (session: Session): Promise<number> => {
    const headers = { authorization: session.token, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: '{}' }
    const response = await fetch(`${hub.address}/api/vedette/incidents/i1/acknowledge`, request)
    await response.body?.cancel()
    return response.status
  }

  test('the alert appears when it is escalated, and its owner sees the acknowledgement at once', async () => {
    await using pageOfBob = await open(bob)
    await firing(pageOfBob).getByText('Nothing is firing.').waitFor()
    assert.deepEqual([await statusOf(bob), await statusOf(eve)], [404, 404])
    await using pageOfAda = await open(ada)
    await firing(pageOfAda).getByText('CPU').first().waitFor()
    const escalation = [{ minutes: 5, person: bob.record.id }]
    await hub.send(ada, 'PATCH', '/api/account/settings', { merge: { escalation } })

    await firing(pageOfBob).getByText('Alert of Ada, escalated to you').waitFor()
    await firing(pageOfAda).getByText('Escalated to Bob').waitFor()
    await auditPage(pageOfBob, 'an alert that was escalated to this user')
    await firing(pageOfBob)
      .getByRole('button', { name: /^Acknowledge web: / })
      .click()
    await pageOfBob.getByRole('dialog').getByLabel('Note').fill('on it')
    await pageOfBob.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    for (const page of [pageOfBob, pageOfAda]) await firing(page).getByText('Acknowledged by Bob: on it').waitFor()
    await firing(pageOfBob)
      .getByRole('button', { name: /^Acknowledge web: / })
      .click()
    await choose(pageOfBob, 'Remind me again', 'in 4 hours')
    await pageOfBob.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click()
    await firing(pageOfAda)
      .getByText(/^Snoozed by Bob until .*: on it$/)
      .waitFor()
    assert.equal(await statusOf(eve), 404)
    await using pageOfEve = await open(eve)
    await firing(pageOfEve).getByText('Nothing is firing.').waitFor()
  })

  test('the person sees the alert in German on a phone, and no more without access to the system', async () => {
    await using page = await hub.openPage(bob, { locale: 'de-DE', viewport: { width: 360, height: 740 } })
    await page.goto('/alerts')
    await page.getByText('Alarm von Ada, an dich eskaliert').waitFor()
    await auditPage(page, 'an escalated alert in German')
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${system}`, { users: [eve.record.id] })
    await page.reload()
    await page.getByText('Nichts ist aktiv.').waitFor()
    assert.equal(await statusOf(bob), 404)
  })
})
