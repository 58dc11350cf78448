import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { setImmediate } from 'node:timers/promises'
import type { RuntimeEvents } from '../../src/runtime/runtime.ts'
import { parsePublicKeys } from '../../src/text/public-keys.ts'
import { hubKey } from '../running-agent.ts'
import { SshHub } from '../ssh-client.ts'
import { testedHost } from './tested-host.ts'

/** Tests every call of the runtime interface. Every host must behave the same. */

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-conformance-'))
})
after(async () => {
  await rm(folder, { recursive: true })
})

const text = (value: string) => new TextEncoder().encode(value)

test('readText, readBytes, readLink, listDir, stat, statfs read existing paths and return null for missing ones', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  const tree = join(folder, 'tree')
  await mkdir(join(tree, 'inner'), { recursive: true })
  await writeFile(join(tree, 'b'), 'zwei\n', { mode: 0o640 })
  await writeFile(join(tree, 'a'), Uint8Array.of(0x61, 0xff))
  await symlink('b', join(tree, 'link'))
  assert.equal(await runtime.readText(join(tree, 'b')), 'zwei\n')
  assert.equal(await runtime.readText(join(tree, 'a')), 'a\ufffd')
  assert.deepEqual(await runtime.readBytes(join(tree, 'a')), Uint8Array.of(0x61, 0xff))
  assert.equal(await runtime.readLink(join(tree, 'link')), 'b')
  assert.deepEqual(await runtime.listDir(tree), ['a', 'b', 'inner', 'link'])
  const facts = await runtime.stat(join(tree, 'b'))
  assert.deepEqual([facts?.kind, facts?.sizeBytes, facts?.mode], ['file', 5, 0o640])
  assert.equal((await runtime.stat(tree))?.kind, 'folder')
  const { totalBytes = 0, freeBytes = 0, availableBytes = 0 } = (await runtime.statfs(tree)) ?? {}
  assert.ok(totalBytes >= freeBytes && freeBytes >= availableBytes && totalBytes > 0)
  const none = join(tree, 'none')
  assert.deepEqual(
    [
      await runtime.readText(none),
      await runtime.readBytes(none),
      await runtime.readLink(none),
      await runtime.listDir(none),
      await runtime.stat(none),
      await runtime.statfs(none),
    ],
    [null, null, null, null, null, null],
  )
})

test('readText reads files that report a size of 0, and refuses files over its limit', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  assert.match((await runtime.readText('/proc/self/status')) ?? '', /^Name:/)
  await writeFile(join(folder, 'large'), 'x'.repeat(200_000))
  assert.equal((await runtime.readText(join(folder, 'large')))?.length, 200_000)
  assert.equal(await runtime.readText(join(folder, 'large'), 199_999), null)
})

test('writeFile replaces a file atomically with its mode and creates folders; remove deletes it', async () => {
  await using tested = await testedHost()
  const { runtime } = tested
  const path = join(folder, 'made', 'here', 'secret')
  assert.equal(await runtime.writeFile(path, text('one'), 0o600), null)
  assert.equal(await runtime.writeFile(path, text('two'), 0o600), null)
  assert.equal(await runtime.readText(path), 'two')
  assert.equal((await runtime.stat(path))?.mode, 0o600)
  assert.deepEqual(await runtime.listDir(join(folder, 'made', 'here')), ['secret'])
  assert.equal(await runtime.remove(path), null)
  assert.equal(typeof (await runtime.remove(path)), 'string')
  assert.equal(typeof (await runtime.writeFile('/proc/none/file', text(''), 0o600)), 'string')
})

test('clock, info, env, log, print and exit work', async () => {
  await using tested = await testedHost({ env: { A: '1', EMPTY: '' }, argv: ['--help'] })
  const { runtime } = tested
  const earlier = await runtime.clock()
  assert.ok((await runtime.clock()).monotonicMs >= earlier.monotonicMs && earlier.wallMs > 1.6e12)
  const { arch, platform, pid, argv, runtimeVersion } = await runtime.info()
  assert.ok(arch.length > 0 && platform.length > 0 && pid === tested.pid && runtimeVersion.length > 0)
  assert.deepEqual([argv, await runtime.env('A'), await runtime.env('EMPTY'), await runtime.env('NONE')], [['--help'], '1', '', null])
  await runtime.log('warn', 'text')
  await runtime.print('')
  void runtime.exit(3)
  assert.equal(await tested.exited, 3)
  assert.deepEqual(tested.lines, ['warn text'])
})

test('timer fires once, and a negative time cancels it', async () => {
  await using tested = await testedHost()
  const { runtime, next } = tested
  await runtime.timer(1, 60_000)
  await runtime.timer(1, -1)
  await runtime.timer(2, 10)
  assert.deepEqual(await next('onTimer'), [2])
})

test('onSignal reports the requested signals', async () => {
  await using tested = await testedHost()
  const { runtime, next } = tested
  await runtime.onSignal(['SIGINT'])
  process.kill(tested.pid, 'SIGINT')
  assert.deepEqual(await next('onSignalReceived'), ['SIGINT'])
})

test('http sends requests over a unix socket and to an address, limits time and size, and returns whole or streamed bodies', async () => {
  const path = join(folder, 'http.sock')
  const server = createHttpServer((request, response) => {
    if (request.url === '/silent') return
    response.setHeader('X-Seen', `${request.method} ${request.url} ${request.headers['user-agent'] ?? ''}`)
    response.end('answer')
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await using tested = await testedHost()
  const { runtime, next } = tested
  const request = {
    to: { kind: 'unix', path },
    method: 'GET',
    path: '/x',
    headers: [['User-Agent', 'test']],
    maxBytes: 100,
    deadlineMs: 2000,
  } as const
  await runtime.http(1, request)
  const [id, event] = await next('onHttp')
  const answer = event as Extract<Parameters<RuntimeEvents['onHttp']>[1], { kind: 'answer' }>
  assert.deepEqual([id, answer.kind, answer.status, new TextDecoder().decode(answer.body)], [1, 'answer', 200, 'answer'])
  assert.deepEqual(answer.headers.find(([name]) => name === 'x-seen')?.[1], 'GET /x test')
  await runtime.http(2, { ...request, maxBytes: 3 })
  assert.deepEqual(await next('onHttp'), [2, { kind: 'failed', reason: 'the answer is longer than 3 bytes' }])
  await runtime.http(3, { ...request, path: '/silent', deadlineMs: 30 })
  assert.deepEqual(await next('onHttp'), [3, { kind: 'failed', reason: 'no answer within 30 ms' }])
  await runtime.http(4, { ...request, stream: true })
  const kinds = [await next('onHttp'), await next('onHttp'), await next('onHttp')].map(([, one]) => (one as { kind: string }).kind)
  assert.deepEqual(kinds, ['head', 'piece', 'end'])
  await runtime.http(7, { ...request, stream: true, maxBytes: 3 })
  await next('onHttp')
  assert.equal(new TextDecoder().decode(((await next('onHttp'))[1] as { data: Uint8Array }).data), 'ans')
  assert.deepEqual(await next('onHttp'), [7, { kind: 'end', cut: true }])
  await runtime.http(5, { ...request, to: { kind: 'unix', path: join(folder, 'none.sock') } })
  assert.equal(((await next('onHttp'))[1] as { kind: string }).kind, 'failed')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const tcp = createHttpServer((_request, response) => response.end('tcp'))
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  await runtime.http(6, { ...request, to: { kind: 'address', origin: `http://127.0.0.1:${(tcp.address() as AddressInfo).port}` } })
  assert.equal(((await next('onHttp'))[1] as { kind: string }).kind, 'answer')
  tcp.closeAllConnections()
  await new Promise((resolve) => tcp.close(resolve))
})

test('streamOpen, streamWrite and streamClose carry bytes over a unix socket', async () => {
  const path = join(folder, 'stream.sock')
  const server = createServer((socket) => socket.on('data', (data) => socket.write(data)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await using tested = await testedHost()
  const { runtime, next } = tested
  await runtime.streamOpen(1, path)
  assert.deepEqual(await next('onStream'), [1, { kind: 'open' }])
  await runtime.streamWrite(1, Uint8Array.of(1, 2))
  const [, event] = await next('onStream')
  assert.deepEqual(Uint8Array.from((event as { data: Uint8Array }).data), Uint8Array.of(1, 2))
  await runtime.streamClose(1)
  assert.equal(((await next('onStream'))[1] as { kind: string }).kind, 'closed')
  await runtime.streamOpen(2, join(folder, 'none.sock'))
  assert.equal(((await next('onStream'))[1] as { kind: string }).kind, 'closed')
  await new Promise((resolve) => server.close(resolve))
})

const nvidiaLoop = [
  'nvidia-smi',
  '--query-gpu=index,name,temperature.gpu,memory.used,memory.total,utilization.gpu,power.draw',
  '--format=csv,noheader,nounits',
  '-l',
  '4',
]
const readDrive = ['smartctl', '-a', '--json=c']

/** A folder for this test, with stub programs. */
async function programFolder(name: string, stubs: Readonly<Record<string, string>>): Promise<string> {
  const made = join(folder, name)
  await mkdir(made, { recursive: true })
  for (const [stub, script] of Object.entries(stubs)) {
    await writeFile(join(made, stub), `#!/bin/sh\n${script}\n`)
    await chmod(join(made, stub), 0o755)
  }
  return made
}

test('exec runs only allowed programs from its folders, with limits on time and output', async () => {
  // The name of the drive selects the stub's behaviour.
  const smartctl = `for last; do :; done
case $last in
  /dev/slow) exec /bin/sleep 30 ;;
  /dev/long) exec /usr/bin/head -c 2000 /dev/zero ;;
esac
echo "$@" "$HOME"
exit 2`
  const others = Object.fromEntries(['sh', 'cat', 'nvtop', 'rocm-smi', 'nvidia-smi'].map((name) => [name, ':']))
  const programs = await programFolder('programs', { smartctl, ...others })
  await using tested = await testedHost({ programFolders: [programs] })
  const { runtime, next } = tested
  const limits = { mode: 'whole', deadlineMs: 5000, maxOutputBytes: 1000 } as const
  const permitted = [
    ['--scan', '-j'],
    ['-a', '--json=c', '/dev/sda'],
    ['-d', 'areca,1/2', '-a', '--json=c', '-l', 'devstat', '-n', 'standby', '/dev/disk/by-id/x:1'],
  ]
  for (const words of permitted) {
    await runtime.exec(1, ['smartctl', ...words], limits)
    const [, event] = await next('onExec')
    const exited = event as { kind: string; exitCode: number; output: Uint8Array }
    assert.deepEqual([exited.kind, exited.exitCode, new TextDecoder().decode(exited.output)], ['exited', 2, `${words.join(' ')} \n`])
  }
  const refused = [
    [],
    ['sh', '-c', 'id'],
    ['cat'],
    ['nvtop'],
    ['rocm-smi'],
    ['/bin/sh'],
    ['../programs/smartctl', '--scan', '-j'],
    [join(programs, 'smartctl'), '--scan', '-j'],
    ['smartctl'],
    ['smartctl', '--scan'],
    ['smartctl', '--scan', '-j', '-s', 'off'],
    ['smartctl', '-s', 'off', '/dev/sda'],
    ['smartctl', '-t', 'long', '/dev/sda'],
    [...readDrive],
    [...readDrive, '/etc/shadow'],
    [...readDrive, '/dev/../etc/shadow'],
    [...readDrive, '--version'],
    [...readDrive, '/dev/sda', '/dev/sdb'],
    ['smartctl', '-d', '-s', '-a', '--json=c', '/dev/sda'],
    ['smartctl', '-d', 'SAT', '-a', '--json=c', '/dev/sda'],
    ['nvidia-smi'],
    ['nvidia-smi', '--gpu-reset'],
    [...nvidiaLoop, '--gpu-reset'],
  ]
  for (const argv of refused) {
    await runtime.exec(2, argv, limits)
    const [, event] = await next('onExec')
    const name = argv[0] ?? ''
    assert.deepEqual(event, { kind: 'failed', reason: `"${name}" with these arguments is not a command this agent runs` }, argv.join(' '))
  }
  await runtime.exec(3, [...readDrive, '/dev/slow'], { ...limits, deadlineMs: 50 })
  assert.deepEqual(await next('onExec'), [3, { kind: 'failed', reason: 'not finished within 50 ms' }])
  await runtime.exec(4, [...readDrive, '/dev/slow'], limits)
  await runtime.execKill(4)
  assert.deepEqual(await next('onExec'), [4, { kind: 'failed', reason: 'ended by SIGKILL' }])
  await runtime.exec(5, [...readDrive, '/dev/long'], limits)
  assert.deepEqual(await next('onExec'), [5, { kind: 'failed', reason: 'wrote more than 1000 bytes' }])
})

test('exec reports that an allowed program is not installed', async () => {
  await using tested = await testedHost({ programFolders: [await programFolder('none', {})] })
  await tested.runtime.exec(1, nvidiaLoop, { mode: 'stream', silenceMs: 5000 })
  assert.deepEqual(await tested.next('onExec'), [1, { kind: 'failed', reason: '"nvidia-smi" is not installed' }])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('exec streams output of a running program, ends it after a long silence, and ends it with the agent', async () => {
  const gate = join(folder, 'gate')
  const read = [...readDrive, '/dev/sda']
  const programs = await programFolder('streaming', {
    'nvidia-smi': `echo 1\nuntil [ -e ${gate} ]; do /bin/sleep 0.01; done\necho 2\nexit 3`,
    smartctl: 'echo $$\nexec /bin/sleep 30',
  })
  await using tested = await testedHost({ programFolders: [programs] })
  const { runtime, next } = tested
  const piece = async (): Promise<string> => {
    const [, event] = await next('onExec')
    const { kind, data } = event as { kind: string; data: Uint8Array }
    assert.equal(kind, 'piece')
    return new TextDecoder().decode(data)
  }
  await runtime.exec(1, nvidiaLoop, { mode: 'stream', silenceMs: 5000 })
  assert.equal(await piece(), '1\n')
  await writeFile(gate, '')
  assert.equal(await piece(), '2\n')
  assert.deepEqual(await next('onExec'), [1, { kind: 'exited', exitCode: 3, output: new Uint8Array() }])
  await runtime.exec(2, read, { mode: 'stream', silenceMs: 150 })
  await piece()
  assert.deepEqual(await next('onExec'), [2, { kind: 'failed', reason: 'wrote nothing for 150 ms' }])
  await runtime.exec(3, read, { mode: 'stream', silenceMs: 5000 })
  const pid = Number(await piece())
  assert.ok(process.kill(pid, 0))
  void runtime.exit(0)
  assert.equal(await tested.exited, 0)
  while (isAlive(pid)) await setImmediate()
})

test('readSlow returns the texts in the order of the paths, without unreadable or too long files', async () => {
  const made = join(folder, 'slow')
  await mkdir(made, { recursive: true })
  await writeFile(join(made, 'one'), '45000\n')
  await writeFile(join(made, 'long'), 'x'.repeat(101))
  await writeFile(join(made, 'empty'), '')
  await using tested = await testedHost()
  const paths = ['one', 'absent', 'long', 'empty', '', 'one'].map((name) => join(made, name))
  await tested.runtime.readSlow(7, paths, { maxBytes: 100, deadlineMs: 20_000 })
  const [id, told] = await tested.next('onSlowTexts')
  const texts = told as readonly { readonly text: string | null; readonly tookMs: number }[]
  assert.equal(id, 7)
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['45000\n', null, null, '', null, '45000\n'],
  )
  assert.ok(texts.every(({ tookMs }) => tookMs >= 0))
  await tested.runtime.readSlow(8, [], { maxBytes: 100, deadlineMs: 20_000 })
  assert.deepEqual(await tested.next('onSlowTexts'), [8, []])
})

test('wsOpen, wsSend and wsClose implement RFC 6455, with a timeout for silence', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/p`
  server.on('connection', (socket, request) => {
    socket.send('a text nobody hears')
    socket.send(text(String(request.headers['x-token'])))
    socket.on('message', (data) => socket.send(data))
  })
  await using tested = await testedHost()
  const { runtime, next } = tested
  const options = { connectDeadlineMs: 2000, maxMessageBytes: 1000, silenceMs: 5000 }
  await runtime.wsOpen(1, url, [['X-Token', 't']], options)
  assert.deepEqual(await next('onWsOpen'), [1])
  assert.equal(new TextDecoder().decode((await next('onWsMessage'))[1] as Uint8Array), 't')
  await runtime.wsSend(1, Uint8Array.of(9))
  assert.deepEqual(Uint8Array.from((await next('onWsMessage'))[1] as Uint8Array), Uint8Array.of(9))
  await runtime.wsClose(1, 1000)
  assert.deepEqual(await next('onWsClose'), [1, { kind: 'closed', code: 1000, reason: '' }])
  await runtime.wsOpen(2, url, [], { ...options, silenceMs: 30 })
  const [, silent] = await next('onWsClose')
  assert.equal((silent as { reason: string }).reason, 'nothing heard for 30 ms')
  await new Promise((resolve) => server.close(resolve))
  await runtime.wsOpen(3, url, [], options)
  assert.equal(((await next('onWsClose'))[1] as { kind: string }).kind, 'failed')
  const refusing = createHttpServer((_request, response) => response.writeHead(401).end('Invalid token'))
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
  await runtime.wsOpen(4, `ws://127.0.0.1:${(refusing.address() as AddressInfo).port}/`, [], options)
  assert.deepEqual(await next('onWsClose'), [4, { kind: 'refused', status: 401, body: 'Invalid token' }])
  refusing.closeAllConnections()
  await new Promise((resolve) => refusing.close(resolve))
})

test('sshListen, sshReply and sshClose serve one request per channel', async () => {
  await using tested = await testedHost()
  const { runtime, next } = tested
  const { keys } = parsePublicKeys(hubKey.publicLine)
  const options = {
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    identification: 'beszel_0.18.8+vedette.0.0.0',
    hostKeyPath: join(folder, 'host_key'),
    authorisedKeys: keys,
    maxRequestBytes: 100,
    silenceMs: 5000,
  } as const
  assert.equal(typeof (await runtime.sshListen({ ...options, authorisedKeys: [] })), 'string')
  assert.equal(await runtime.sshListen(options), null)
  const [event] = await next('onSshServer')
  const { port = 0 } = event as { port?: number }
  const hub = await SshHub.connect(port, hubKey.privateText)
  const answer = hub.shell(text('ask'), { end: true })
  let request = await next('onSsh')
  while (request[3] !== true) request = await next('onSsh')
  const [requestId, identification, stdin] = request
  assert.deepEqual([identification, new TextDecoder().decode(stdin as Uint8Array)], ['SSH-2.0-beszel_0.18.8', 'ask'])
  await runtime.sshReply(requestId as number, text('told'), 0)
  assert.deepEqual(await answer, { stdout: text('told'), exitStatus: 0, order: ['data', 'exit', 'close'] })
  const closed = hub[Symbol.asyncDispose]()
  await runtime.sshClose()
  await closed
  await assert.rejects(SshHub.connect(port, hubKey.privateText))
})

test('sshListen does not listen when it cannot read its host key, and keeps the key file', async () => {
  await using tested = await testedHost()
  const { runtime, next } = tested
  const { keys } = parsePublicKeys(hubKey.publicLine)
  const path = join(folder, 'unreadable_host_key')
  const content = 'x'.repeat(20_000)
  await writeFile(path, content)
  const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const
  const options = {
    address,
    identification: 'beszel_0.18.8',
    hostKeyPath: path,
    authorisedKeys: keys,
    maxRequestBytes: 100,
    silenceMs: 5000,
  }
  await runtime.sshListen(options)
  const [event] = await next('onSshServer')
  assert.equal((event as { kind: string }).kind, 'failed')
  assert.ok((event as { reason: string }).reason.includes(`Cannot read the host key "${path}"`))
  assert.equal(await readFile(path, 'utf8'), content)
})

test('bytes: UTF-8 in both directions, equality, SHA-256, Ed25519 and random bytes', async () => {
  await using tested = await testedHost()
  const { utf8, fromUtf8, equal, sha256, ed25519Verify, random } = tested.runtime.bytes
  assert.deepEqual(await utf8('ü\ud800'), Uint8Array.of(0xc3, 0xbc, 0xef, 0xbf, 0xbd))
  assert.equal(await fromUtf8(Uint8Array.of(0xc3, 0xbc, 0xff)), 'ü\ufffd')
  assert.equal(await fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xe2, 0x82, 0x62, 0xf0, 0x90)), 'a\ufffdb\ufffd')
  const twos = [Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(0, 1), Uint8Array.of(1, 0)]
  for (const one of twos) for (const other of twos) assert.equal(await equal(one, Uint8Array.from(other)), one === other)
  const ascii = (value: string): Uint8Array => new TextEncoder().encode(value)
  // Test vector "abc" of FIPS 180-4.
  const digest = Buffer.from(await sha256(ascii('abc'))).toString('hex')
  assert.equal(digest, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const publicKey = Buffer.from('03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8', 'hex')
  const signature = Buffer.from(
    '9cee02da0eddbb8c6c72ed5498520ba11d5502891d5c0403d9236fe26a6f2451759d2bb228f3fa12586aaf10c607e17095e1acd50d01a6c9f5cd7584d138ed02',
    'hex',
  )
  assert.equal(await ed25519Verify(publicKey, ascii('test-token'), signature), true)
  assert.equal(await ed25519Verify(publicKey, ascii('other-token'), signature), false)
  assert.equal(await ed25519Verify(publicKey.subarray(1), ascii('test-token'), signature), false)
  assert.equal(await ed25519Verify(publicKey, ascii('test-token'), new Uint8Array(3)), false)
  assert.equal((await random(16)).length, 16)
})
