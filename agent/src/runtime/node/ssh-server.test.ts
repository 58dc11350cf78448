import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import ssh2, { type ClientChannel } from 'ssh2'
import { generateHostKey, sshServer } from './ssh-server.ts'

const KIBIBYTE = 1024
const key = generateHostKey(ssh2)

/** Number of key exchanges during 8 replies of 64 KiB, one after the other. */
async function keyExchanges(rekeyBytes: number): Promise<number> {
  const { promise: listening, resolve } = Promise.withResolvers<number>()
  const reply = Buffer.alloc(64 * KIBIBYTE, 'x')
  const server = sshServer(
    () => ({
      onSsh: (id, _identification, _input, isEnded) => (isEnded ? server.reply(id, reply, 0) : undefined),
      onSshServer: (event) => (event.kind === 'listening' ? resolve(event.port ?? 0) : assert.fail(event.kind)),
    }),
    rekeyBytes,
  )
  const parsed = ssh2.utils.parseKey(key)
  assert.ok(!(parsed instanceof Error))
  server.listen({
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    identification: 'test',
    authorisedKeys: [{ algorithm: parsed.type, blob: parsed.getPublicSSH() }],
    maxRequestBytes: 100,
    silenceMs: 60_000,
  })
  const client = new ssh2.Client()
  let exchanges = 0
  client.on('handshake', () => (exchanges += 1))
  const ready = once(client, 'ready')
  client.connect({ host: '127.0.0.1', port: await listening, username: 'u', privateKey: key })
  await ready
  for (let request = 0; request < 8; request++) {
    const channel = await new Promise<ClientChannel>((accept, refuse) => {
      client.shell(false, {}, (error, one) => (error ? refuse(error) : accept(one)))
    })
    let bytes = 0
    channel.on('data', (piece: Buffer) => (bytes += piece.length))
    channel.end()
    await once(channel, 'close')
    assert.equal(bytes, reply.length)
  }
  const closed = once(client, 'close')
  client.end()
  await closed
  server.close()
  return exchanges
}

test('sshServer starts a key exchange after its limit of bytes, and delivers every reply', async () => {
  // The replies are 512 KiB in all, so at least two exchanges follow the first. None may start before the limit.
  const exchanges = await keyExchanges(100 * KIBIBYTE)
  assert.ok(exchanges >= 3 && exchanges <= 6, String(exchanges))
})

test('sshServer starts no second key exchange below the limit', async () => {
  assert.equal(await keyExchanges(1024 * KIBIBYTE), 1)
})
