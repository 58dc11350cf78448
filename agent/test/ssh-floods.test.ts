import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { fromHex } from '../../protocol/test/recorded.ts'
import { hubKey, RunningAgent } from './running-agent.ts'
import { floodNames } from './ssh-flood.ts'
import { SshHub } from './ssh-client.ts'

const request = fromHex('a2000001a20019ea6001f5')
const program = fileURLToPath(new URL('ssh-flood.ts', import.meta.url))
const POLLS = 5

/** The attacker, a separate process. */
class Abuser implements AsyncDisposable {
  readonly #child
  readonly #exited
  readonly #lines

  constructor(flood: string, port: number, from: string) {
    this.#child = spawn(process.execPath, [program, flood, String(port), from], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#exited = once(this.#child, 'exit')
    this.#lines = createInterface({ input: this.#child.stdout })
  }

  /** Either the agent or the attacker closed a connection. */
  async closed(): Promise<void> {
    await once(this.#lines, 'line')
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

/** On a busy machine newer connections of the same address may evict this one; a hub then connects again. */
async function signIn(port: number): Promise<SshHub> {
  for (;;) {
    try {
      return await SshHub.connect(port, hubKey.privateText)
    } catch (error) {
      if (!/TOO_MANY_CONNECTIONS|ECONNRESET|lost before handshake|closed/i.test(String(error))) throw error
    }
  }
}

for (const flood of floodNames) {
  for (const from of ['127.0.0.2', '127.0.0.1']) {
    test(`agent serves its hub and accepts a new hub during ${flood} from ${from}`, { timeout: 300_000 }, async () => {
      await using agent = await RunningAgent.start({ LISTEN: '127.0.0.1:0' }, 'own process')
      const port = await agent.sshPort()
      await using hub = await SshHub.connect(port, hubKey.privateText)
      const poll = async (of: SshHub): Promise<void> => assert.equal((await of.shell(request, { end: true })).exitStatus, 0)
      await poll(hub)
      await using abuser = new Abuser(flood, port, from)
      await abuser.closed()
      for (let polls = 0; polls < POLLS; polls++) await poll(hub)
      await using another = await signIn(port)
      await poll(another)
      await poll(hub)
      assert.ok(abuser.isRunning)
    })
  }
}
