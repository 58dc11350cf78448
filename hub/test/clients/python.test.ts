import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { serve } from '../../src/platform/http/server.ts'
import { databases } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const run = promisify(execFile)
const INSTALL_WITHIN_MS = 120_000
const RUN_WITHIN_MS = 150_000

/** The newest version, and a version to which many scripts are pinned. */
const versions = ['0.17.3', '0.15.0'] as const
const SYSTEM = 'sys000000000006'

const folder = mkdtempSync(join(tmpdir(), 'vedette-python-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let environment: Promise<string> | undefined

/** A Python with pip. All versions of the client share it, because creating it takes longer than installing a version. */
async function makeEnvironment(): Promise<string> {
  const path = join(folder, 'environment')
  await run('python3', ['-m', 'venv', path], { timeout: INSTALL_WITHIN_MS })
  return join(path, 'bin', 'python')
}

/** Returns a Python and the folder with this version of the client, or the reason why it is not available. */
async function pythonWith(version: string): Promise<{ readonly python: string; readonly client: string } | { readonly missing: string }> {
  const client = join(folder, version)
  environment ??= makeEnvironment()
  let python: string
  try {
    python = await environment
  } catch (error) {
    return { missing: `there is no python3 that makes environments: ${firstLine(error)}` }
  }
  try {
    const options = ['--quiet', '--no-compile', '--disable-pip-version-check', '--target', client]
    await run(python, ['-m', 'pip', 'install', ...options, `pocketbase==${version}`], { timeout: INSTALL_WITHIN_MS })
  } catch (error) {
    return { missing: `pip cannot install the client here: ${firstLine(error)}` }
  }
  return { python, client }
}

const firstLine = (error: unknown): string => String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? ''

for (const version of versions) {
  test(`the Python client ${version} signs in, lists, writes and receives changes`, { timeout: 600_000 }, async (t) => {
    const made = await pythonWith(version)
    if ('missing' in made) {
      t.skip(made.missing)
      return
    }
    for (const kind of databases) {
      await t.test(kind.name, async () => {
        await using hub = await recordedHub(kind)
        const server = await serve(hub.app, { host: '127.0.0.1', port: 0 })
        try {
          const { superuser } = dataset
          const account = ['alice@example.com', dataset.password, superuser.email, superuser.password, SYSTEM]
          const { stdout } = await run(made.python, [join(import.meta.dirname, 'python-client.py'), server.address, ...account], {
            timeout: RUN_WITHIN_MS,
            env: { ...process.env, PYTHONPATH: made.client },
          })
          assert.deepEqual(JSON.parse(stdout), {
            'wrong password': [400, 'Failed to authenticate.'],
            'signed in': [dataset.aliases['alice'], true],
            refreshed: true,
            all: 10,
            page: [1, 2, 10, 2],
            "nobody's": [404, "The requested resource wasn't found."],
            'no such': [404, null],
            one: SYSTEM,
            heard: [
              ['update', 'called'],
              ['create', 'new'],
              ['update', 'newer'],
              ['delete', 'newer'],
            ],
            gone: [404, "The requested resource wasn't found."],
            health: 'API is healthy.',
            'admin lists': true,
          })
        } finally {
          hub.realtime.close()
          await server.close()
        }
      })
    }
  })
}
