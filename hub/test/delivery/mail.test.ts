import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { databases } from '../databases.ts'
import { localCertificate } from '../local-certificate.ts'
import { runningHub, type RunningHub } from '../running-hub.ts'
import { testSmtp } from '../smtp-server.ts'

const sender = { senderName: 'The tower', senderAddress: 'tower@example.com', appURL: 'https://hub.example.com/base' }

const mailThrough = (hub: RunningHub, port: number, more: object = {}) =>
  hub.call(hub.admin.token, 'PATCH /api/settings', { smtp: { enabled: true, host: 'localhost', port, ...more }, meta: sender })

const tryMail = (hub: RunningHub, template = 'otp') =>
  hub.call(hub.admin.token, 'POST /api/settings/test/email', { email: 'try@example.com', template })

const [kind] = databases
assert.ok(kind)

for (const kind of databases) {
  test(`${kind.name}: a password reset is mailed with a link under the hub's address`, async () => {
    await using smtp = await testSmtp()
    await using hub = await runningHub(kind)
    assert.equal((await mailThrough(hub, smtp.port)).status, 200)
    const asked = await hub.call('', 'POST /api/collections/users/request-password-reset', { email: 'admin@example.com' })
    assert.equal(asked.status, 204)
    const { from, to, mail } = await smtp.next()
    assert.deepEqual([from, to], ['tower@example.com', ['admin@example.com']])
    assert.equal(mail.from?.name, 'The tower')
    assert.match(mail.text ?? '', /https:\/\/hub\.example\.com\/base\/reset-password\/[\w.-]+\n/)
    assert.match(mail.html ?? '', /href="https:\/\/hub\.example\.com\/base\/reset-password\//)
    assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
  })

  test(`${kind.name}: an unsent email is sent later, also after a restart of the hub`, async () => {
    // The port was free a moment ago, so nothing listens there.
    const free = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => free.once('listening', resolve))
    const { port } = free.address() as { readonly port: number } // it listens on a port
    await new Promise((resolve) => free.close(resolve))
    await using place = await kind.place()
    const directory = mkdtempSync(join(tmpdir(), 'vedette-mail-'))
    const again = async () => ({ at: place.at, [Symbol.asyncDispose]: async () => {} })
    const at = { ...kind, place: again, ready: again }
    const options = ['--data', directory]
    {
      await using hub = await runningHub(at, options)
      await mailThrough(hub, port)
      await hub.call('', 'POST /api/collections/users/request-password-reset', { email: 'admin@example.com' })
    }
    await using smtp = await testSmtp()
    await using hub = await runningHub(at, options)
    await mailThrough(hub, smtp.port)
    assert.deepEqual((await smtp.next()).to, ['admin@example.com'])
    rmSync(directory, { recursive: true, force: true })
  })
}

test('the test email reports the error of the mail server to the admin', async () => {
  await using smtp = await testSmtp({ login: { username: 'hub', password: 'right' } })
  await using hub = await runningHub(kind)
  const off = await tryMail(hub)
  assert.deepEqual([off.status, off.body['message']], [400, 'Failed to send the test email. Raw error: \nThis hub sends no mail.'])
  await mailThrough(hub, smtp.port, { username: 'hub', password: 'wrong' })
  const refused = await tryMail(hub)
  assert.equal(refused.status, 400)
  assert.match(String(refused.body['message']), /Raw error: \n535 .*Wrong user name or password, says the test/)
  await mailThrough(hub, smtp.port, { password: 'right' })
  assert.equal((await tryMail(hub)).status, 204)
  const { mail, user } = await smtp.next()
  assert.equal(user, 'hub')
  assert.equal(mail.to?.[0]?.address, 'try@example.com')
  assert.match(mail.text ?? '', /123456/)
})

test('the password of the mail server is never returned, and a masked value keeps it', async () => {
  await using smtp = await testSmtp({ login: { username: 'hub', password: 'right' } })
  await using hub = await runningHub(kind)
  await mailThrough(hub, smtp.port, { username: 'hub', password: 'right' })
  for (const request of ['GET /api/settings', 'PATCH /api/settings']) {
    const { body } = await hub.call(hub.admin.token, request, request.startsWith('P') ? { smtp: { password: '******' } } : undefined)
    assert.doesNotMatch(JSON.stringify(body), /right|password/)
  }
  assert.equal((await tryMail(hub)).status, 204)
})

test('a link-local mail server is refused, and an unreachable server is reported', async () => {
  await using hub = await runningHub(kind)
  await mailThrough(hub, 25, { host: '169.254.169.254' })
  assert.match(String((await tryMail(hub)).body['message']), /link-local/)
  await mailThrough(hub, 1, { host: '127.0.0.1' })
  assert.match(String((await tryMail(hub)).body['message']), /ECONNREFUSED/)
})

test('no email is sent when STARTTLS is required and not offered', async () => {
  await using smtp = await testSmtp()
  await using hub = await runningHub(kind)
  await mailThrough(hub, smtp.port, { encryption: 'starttls' })
  assert.equal((await tryMail(hub)).status, 400)
  assert.equal(smtp.arrived.length, 0)
})

test('invalid mail settings are refused with an error for their field', async () => {
  await using hub = await runningHub(kind)
  for (const [sent, path, code] of [
    [{ smtp: { enabled: true, host: '', port: 0 } }, 'smtp.host', 'validation_required'],
    [{ smtp: { enabled: true, host: '', port: 0 } }, 'smtp.port', 'validation_required'],
    [{ smtp: { enabled: true, host: 'localhost' } }, 'meta.senderAddress', 'validation_required'],
    [{ smtp: { port: 70_000 } }, 'smtp.port', 'validation_invalid_value'],
    [{ smtp: { host: 'a b' } }, 'smtp.host', 'validation_is_host'],
    [{ smtp: { authMethod: 'GUESS' } }, 'smtp.authMethod', 'validation_in_invalid'],
    [{ smtp: { encryption: 'none' } }, 'smtp.encryption', 'validation_in_invalid'],
    [{ meta: { senderAddress: 'nobody' } }, 'meta.senderAddress', 'validation_is_email'],
    [{ meta: { appURL: 'javascript:alert(1)' } }, 'meta.appURL', 'validation_is_url'],
  ] as const) {
    const { status, body } = await hub.call(hub.admin.token, 'PATCH /api/settings', sent)
    const [group = '', field = ''] = path.split('.')
    const errors = body['data'] as { readonly [group: string]: { readonly [field: string]: { readonly code: string } } } // errors by group and field
    assert.deepEqual([status, errors[group]?.[field]?.code], [400, code], JSON.stringify(body))
  }
})

for (const encryption of ['tls', 'starttls'] as const)
  test(`${encryption}: no email is sent to a server with an untrusted certificate, but to one with a trusted certificate`, async () => {
    const login = { username: 'hub', password: 'right' }
    await using smtp = await testSmtp({ secure: encryption === 'tls', disabledCommands: [], login, ...localCertificate })
    await using hub = await runningHub(kind)
    await mailThrough(hub, smtp.port, { encryption, ...login })
    const refused = await tryMail(hub)
    assert.equal(refused.status, 400)
    assert.match(String(refused.body['message']), /certificate/)
    assert.equal(smtp.arrived.length, 0)
    const before = getCACertificates()
    setDefaultCACertificates([...before, localCertificate.cert])
    try {
      const taken = await tryMail(hub)
      assert.equal(taken.status, 204, JSON.stringify(taken.body))
      const { encrypted, user } = await smtp.next()
      assert.deepEqual([encrypted, user], [true, 'hub'])
    } finally {
      setDefaultCACertificates(before)
    }
  })
