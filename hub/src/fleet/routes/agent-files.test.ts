import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { Hono } from 'hono'
import { agentFilesIn } from '../enrolment/agent-files.ts'
import type { Log } from '../../platform/log.ts'
import { filesIn } from '../../platform/process/program-files.ts'
import { errorResponse } from '../../http/requests/error-response.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import { mountRoutes } from '../../http/routing/define-route.ts'
import { readAgentFile } from './agent-files.ts'

const X64 = 'native/dist/vedette-agent-linux-x64'
const SCRIPT = 'dist/vedette-agent.mjs'
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex')

type Beside = { readonly version?: string; readonly sum?: string }

/** A folder of agents with the routes on it. */
function handout() {
  const root = mkdtempSync(join(tmpdir(), 'vedette-agents-'))
  const warnings: string[] = []
  const log: Log = { debug() {}, info() {}, error() {}, warn: (_, fields) => warnings.push(String(fields?.['reason'])) }
  const app = new Hono<RequestContext>()
  app.onError(errorResponse(log))
  mountRoutes(app, [readAgentFile], {
    agentFiles: agentFilesIn({ files: filesIn(root), image: 'registry.example.org/agent', hasUpdateHint: true, log }),
  })
  return {
    warnings,
    ask: (name: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      app.request(`/agent/${name}`, { method, headers }),
    /** Writes the files of a build: the agent, its version and its checksum. `version` and `sum` replace the correct ones. */
    build(file: string, content: string, { version = `${VEDETTE_VERSION} release`, sum = sha256(content) }: Beside = {}) {
      const path = join(root, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      writeFileSync(`${path}.version`, version)
      writeFileSync(`${path}.sha256`, `${sum}  ${file}\n`)
      writeFileSync(join(dirname(path), 'licenses.txt'), `Licences of ${file}`)
      return path
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

test('GET /agent/: the index lists each built agent with its checksum, the install script and the service', async () => {
  using files = handout()
  files.build(X64, 'ELF')
  files.build(SCRIPT, 'export {}')
  const { version, agents, install, image } = (await (await files.ask('')).json()) as {
    readonly version: string
    readonly agents: readonly { readonly platform: string; readonly address: string }[]
    readonly image: string
    readonly install: { readonly address: string; readonly sha256: string }
  } // the documented index
  assert.equal(version, VEDETTE_VERSION)
  assert.equal(image, 'registry.example.org/agent')
  assert.deepEqual(agents, [
    { platform: 'linux-x86_64', address: 'linux-x86_64/vedette-agent', bytes: 3, sha256: sha256('ELF') },
    { platform: 'node', address: 'node/vedette-agent.mjs', bytes: 9, sha256: sha256('export {}') },
  ])
  const script = await (await files.ask(install.address)).text()
  assert.equal(install.sha256, sha256(script))
  assert.match(script, new RegExp(`'Linux x86_64'\\) file=linux-x86_64/vedette-agent sum=${sha256('ELF')} ;;`))
  assert.match(await (await files.ask('vedette-agent.service')).text(), /^ProtectSystem=strict$/m)
  const executable = await files.ask('linux-x86_64/vedette-agent')
  assert.equal(await executable.text(), 'ELF')
  assert.equal(executable.headers.get('content-length'), '3')
  assert.equal(await (await files.ask('linux-x86_64/licenses.txt')).text(), `Licences of ${X64}`)
  assert.equal(await (await files.ask('node/licenses.txt')).text(), `Licences of ${SCRIPT}`)
  assert.equal(await (await files.ask('linux-x86_64/vedette-agent.sha256')).text(), `${sha256('ELF')}  vedette-agent\n`)
})

test('GET /agent/: a file supports HEAD, ETag and Range like any static file', async () => {
  using files = handout()
  files.build(X64, '0123456789')
  const ask = (headers: Readonly<Record<string, string>>, method?: string) => files.ask('linux-x86_64/vedette-agent', headers, method)
  const head = await ask({}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '10', ''])
  const tag = head.headers.get('etag') ?? ''
  assert.equal((await ask({ 'if-none-match': tag })).status, 304)
  const part = await ask({ range: 'bytes=4-6' })
  assert.deepEqual([part.status, part.headers.get('content-range'), await part.text()], [206, 'bytes 4-6/10', '456'])
  assert.equal((await ask({ range: 'bytes=10-' })).status, 416)
  assert.equal(await (await ask({ range: 'bytes=4-6', 'if-range': '"another"' })).text(), '0123456789')
  assert.equal((await ask({ range: 'bytes=4-6', 'if-range': tag })).status, 206)
})

test('GET /agent/: a missing build gets status 404 with the build command', async () => {
  using files = handout()
  assert.deepEqual(((await (await files.ask('')).json()) as { readonly agents: unknown }).agents, [])
  const missing = await files.ask('linux-x86_64/vedette-agent')
  assert.equal(missing.status, 404)
  const text = await missing.text()
  assert.match(text, /This hub has no such file; it was built without an agent: run .*npm run build:agent:native/)
  assert.ok(!text.includes('x86_64'), 'the log keeps the text, and a name may hold anything')
  files.build(X64, 'ELF')
  assert.match(await (await files.ask('linux-aarch64/vedette-agent')).text(), /; it has linux-x86_64\/vedette-agent\./)
})

for (const name of [
  '../package.json',
  '..%2fnative/dist/vedette-agent-linux-x64',
  'linux-x86_64/../../package.json',
  '/etc/passwd',
  'native/dist/vedette-agent-linux-x64',
  'linux-x86_64/vedette-agent.version',
  'linux-x86_64/vedette-agent%00',
  '%',
]) {
  test(`GET /agent/${name}: status 404`, async () => {
    using files = handout()
    files.build(X64, 'ELF')
    assert.equal((await files.ask(name)).status, 404)
  })
}

for (const [what, beside, reason] of [
  ['of another version', { version: '0.0.1 release' }, /is of version 0\.0\.1, expected/],
  ['with a wrong checksum', { sum: sha256('other') }, /its checksum is [0-9a-f]{64}, and not the one beside it/],
] as const) {
  test(`agentFilesIn: an agent ${what} is not served, which is logged once`, async () => {
    using files = handout()
    files.build(X64, 'ELF', beside)
    assert.equal((await files.ask('linux-x86_64/vedette-agent')).status, 404)
    assert.equal((await files.ask('linux-x86_64/vedette-agent')).status, 404)
    assert.equal(files.warnings.length, 1)
    assert.match(files.warnings[0] ?? '', reason)
    files.build(X64, 'ELF again')
    assert.equal(await (await files.ask('linux-x86_64/vedette-agent')).text(), 'ELF again')
  })
}

test('agentFilesIn: an agent without checksum or licenses is not served', async () => {
  using files = handout()
  const path = files.build(X64, 'ELF')
  rmSync(join(dirname(path), 'licenses.txt'))
  assert.equal((await files.ask('linux-x86_64/licenses.txt')).status, 404)
  rmSync(`${path}.sha256`)
  assert.equal((await files.ask('linux-x86_64/vedette-agent')).status, 404)
  assert.match(files.warnings[0] ?? '', /Cannot read .*\.sha256": it does not exist/)
})

for (const [what, built] of [
  ['no agent', []],
  ['one executable', [X64]],
  ['an executable and the script', [X64, SCRIPT]],
  ['the script', [SCRIPT]],
] as const) {
  test(`installScript: sh -n accepts the script of a hub with ${what}`, async () => {
    using files = handout()
    for (const file of built) files.build(file, file)
    execFileSync('sh', ['-n'], { input: await (await files.ask('install.sh')).text() })
  })
}
