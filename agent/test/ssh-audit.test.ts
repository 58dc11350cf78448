import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { RunningAgent } from './running-agent.ts'

/** `.ci/run` installs ssh-audit there. */
const program = fileURLToPath(new URL('../../node_modules/.cache/ssh-audit/bin/ssh-audit', import.meta.url))
const skip = existsSync(program) ? false : 'there is no ssh-audit here'

type Algorithm = { readonly algorithm: string; readonly notes: { readonly fail?: readonly string[]; readonly warn?: readonly string[] } }
type Audit = { readonly [part in 'kex' | 'key' | 'enc' | 'mac']: readonly Algorithm[] } & { readonly cves: readonly unknown[] }

const POST_QUANTUM = 'does not provide protection against post-quantum attacks'

/** Every algorithm with the complaints of ssh-audit. */
const findings = (audit: Audit): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    (['kex', 'key', 'enc', 'mac'] as const).flatMap((part) =>
      audit[part].map(({ algorithm, notes }) => [`${part} ${algorithm}`, [...(notes.fail ?? []), ...(notes.warn ?? [])]] as const),
    ),
  )

test('ssh-audit complains only that the key exchange is not post-quantum', { skip, timeout: 300_000 }, async () => {
  await using agent = await RunningAgent.start({ LISTEN: '127.0.0.1:0' })
  const port = await agent.sshPort()
  const text = await new Promise<string>((resolve) => {
    // The rate of connections is covered by the flood tests. The exit status of ssh-audit counts the warnings.
    execFile(program, ['-j', '--skip-rate-test', `127.0.0.1:${port}`], (_error, stdout) => resolve(stdout))
  })
  const audit = JSON.parse(text) as Audit // as ssh-audit documents it
  const kept: unknown = JSON.parse(await readFile(new URL('ssh-audit.json', import.meta.url), 'utf8'))
  assert.deepEqual(findings(audit), kept)
  assert.deepEqual(audit.cves, [])
  assert.deepEqual([...new Set(Object.values(findings(audit)).flat())], [POST_QUANTUM])
})
