import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import PocketBase, { ClientResponseError } from 'pocketbase'
import { startHubProcess } from '../hub-process.ts'

const EMAIL = 'admin@example.com'
const PASSWORD = 'correct horse 1'

/** Polls until the response is the expected one. A restore ends connections, and the hub is briefly unavailable. */
async function untilIs(ask: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (;;) {
    const answer = await ask().catch((error: unknown) => {
      assert.ok(error instanceof ClientResponseError && error.status === 0, String(error))
    })
    if (isDeepStrictEqual(answer, expected)) return
  }
}

test('current clients can create, download, upload and restore backups', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-backups-'))
  const hub = await startHubProcess(['--data', directory], { VEDETTE_ADMIN_EMAIL: EMAIL, VEDETTE_ADMIN_PASSWORD: PASSWORD })
  try {
    const client = new PocketBase(hub.address)
    client.autoCancellation(false)
    const { record } = await client.collection('_superusers').authWithPassword(EMAIL, PASSWORD)
    const add = (name: string) =>
      client.collection('systems').create({ name, host: '127.0.0.1', port: '1', users: [record.id], status: 'paused' })
    const names = async () => (await client.collection('systems').getFullList({ sort: 'name' })).map(({ name }) => String(name))
    await add('before')
    await client.backups.create('monday.zip')
    await add('after')
    const [made] = await client.backups.getFullList()
    assert.equal(made?.key, 'monday.zip')

    const token = await client.files.getToken()
    const fetched = await fetch(client.backups.getDownloadURL(token, 'monday.zip'))
    assert.equal(fetched.headers.get('content-type'), 'application/zip')
    const bytes = await fetched.blob()
    assert.equal(bytes.size, made.size)
    assert.equal((await fetch(client.backups.getDownloadURL(client.authStore.token, 'monday.zip'))).status, 403)

    await client.backups.upload({ file: new File([bytes], 'tuesday.zip') })
    for (const [file, code] of [
      [new File([bytes], 'tuesday.zip'), 'validation_backup_name_exists'],
      [new File([bytes], 'Two Words.zip'), 'validation_match_invalid'],
    ] as const) {
      const refused = await client.backups.upload({ file }).catch((error: unknown) => error)
      assert.ok(refused instanceof ClientResponseError)
      assert.deepEqual([refused.status, refused.response['data'].file.code], [400, code])
    }
    const notOne = await client.backups.upload({ file: new File(['hello'], 'hello.zip') }).catch((error: unknown) => error)
    assert.ok(notOne instanceof ClientResponseError && /Cannot read the backup: it is damaged/.test(notOne.message), String(notOne))
    const settings = await client.settings.update({ backups: { cron: '0 4 * * *', cronMaxKeep: 5 } })
    assert.deepEqual([settings['backups'].cron, settings['backups'].cronMaxKeep], ['0 4 * * *', 5])
    const wrong = await client.settings.update({ backups: { cron: 'daily', cronMaxKeep: 0 } }).catch((error: unknown) => error)
    assert.ok(wrong instanceof ClientResponseError)
    assert.deepEqual(Object.keys(wrong.response['data'].backups), ['cron', 'cronMaxKeep'])
    await client.backups.delete('monday.zip')
    assert.deepEqual(
      (await client.backups.getFullList()).map(({ key }) => key),
      ['tuesday.zip'],
    )

    assert.deepEqual(await names(), ['after', 'before'])
    await client.backups.restore('tuesday.zip')
    const { token: tokenBefore } = client.authStore
    // A token that was valid when the backup was made must not become valid again.
    const isOver = async () => (await fetch(`${hub.address}/api/backups`, { headers: { authorization: tokenBefore } })).status
    await untilIs(() => isOver().catch(() => undefined), 401)
    await client.collection('_superusers').authWithPassword(EMAIL, PASSWORD)
    assert.deepEqual(await names(), ['before'])
    const { items } = await client.send('/api/vedette/audit', { query: { target: 'backups' } })
    assert.deepEqual(
      items.map(({ action, targetName, actorName }: Readonly<Record<string, string>>) => [action, targetName, actorName]),
      [['restore', 'tuesday.zip', EMAIL]],
    )
  } finally {
    hub.kill('SIGTERM')
    assert.equal(await hub.ended, 0)
    rmSync(directory, { recursive: true, force: true })
  }
})

test('our own backup routes require the password again', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-backups-'))
  const hub = await startHubProcess(['--data', directory], { VEDETTE_ADMIN_EMAIL: EMAIL, VEDETTE_ADMIN_PASSWORD: PASSWORD })
  try {
    const client = new PocketBase(hub.address)
    await client.collection('users').authWithPassword(EMAIL, PASSWORD)
    const ask = (path: string, body: object) => client.send(`/api/vedette/backups${path}`, { method: 'POST', body })
    const refusal = async (path: string, body: object) => {
      const refused = await ask(path, body).catch((error: unknown) => error)
      assert.ok(refused instanceof ClientResponseError, 'it was not refused')
      return Object.keys(refused.response['data'])
    }
    assert.deepEqual(await refusal('', {}), ['password'])
    assert.deepEqual(await refusal('', { password: 'correct horse 2' }), ['password'])
    assert.deepEqual(await refusal('', { password: PASSWORD, passphrase: 'short' }), ['passphrase'])
    const { name } = await ask('', { password: PASSWORD, passphrase: 'a long passphrase' })
    assert.match(name, /^vedette_backup_\d{14}\.zip$/)
    assert.deepEqual(await refusal(`/${name}/download`, {}), ['password'])
    const { token } = await ask(`/${name}/download`, { password: PASSWORD })
    assert.equal((await fetch(client.backups.getDownloadURL(token, name))).status, 200)
    const { files } = await ask(`/${name}/verify`, {})
    assert.deepEqual(
      files.map((file: { name: string }) => file.name),
      ['database.sqlite', 'id_ed25519.sealed', 'secret.key.sealed'],
    )
    assert.deepEqual(await refusal(`/${name}/restore`, { password: 'wrong' }), ['password'])
    const { backups, working } = await client.send('/api/vedette/backups', {})
    assert.deepEqual([backups.length, working], [1, null])
  } finally {
    hub.kill('SIGTERM')
    assert.equal(await hub.ended, 0)
    rmSync(directory, { recursive: true, force: true })
  }
})
