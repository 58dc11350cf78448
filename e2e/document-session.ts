import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { foreignFolder } from '../hub/test/transfer/source/foreign-folder.ts'
import { freePort } from '../tools/free-port.ts'
import { root } from '../tools/rules/source-tree.ts'
import { outputFits, type DocumentStep, type ExpectedOutput } from './document-steps.ts'
import { startCommandLine, type Program } from './programs.ts'
import { bootMachine, type NoMachine, type SystemdMachine } from './systemd-machine.ts'

export type Block = Extract<DocumentStep, { readonly kind: 'block' }>

/**
 * Session that runs the code blocks of one page of the documents as a test: in a temporary folder, with the single executable and free
 * ports. One shell runs all blocks, so later blocks see the variables of earlier ones.
 */
export type DocumentSession = AsyncDisposable & {
  /**
   * Runs one code block of the documents page as a test. Rejects with an error when a command fails (for a block marked `fails`: when none
   * fails), or when its output differs from that on the page.
   */
  readonly run: (block: Block) => Promise<void>
  /**
   * Executes an instruction to the test: the text of an HTML comment in the documents page. Examples are `hub`, which starts a hub and
   * signs in, and `stop`, which ends the program that started last. Rejects for an unknown one.
   */
  readonly follow: (instruction: string) => Promise<void>
  /**
   * Returns the reason, as text, why a test on this machine cannot run a code block of the documents, such as missing systemd; `undefined`
   * when it can.
   */
  readonly obstacle: (block: Block) => string | undefined
}

const ADMIN = { identity: 'admin@example.com', password: 'correct horse battery' }
const RAN = '@@ ran'
/**
 * Timeout in ms, 2 min, until a program that a code block starts, and that keeps running, has printed the expected output. Then the program
 * is stopped and the test fails.
 */
const START_MS = 120_000
/** Timeout in ms until the repeated commands of a code block give the expected output: 3 min. */
const UNTIL_MS = 180_000

/**
 * Starts a session that runs the code blocks of one page, and resolves with it. `program` is the path of the single executable, outside the
 * system's temporary folder, beside its checksum file. With `needsMachine`, an isolated machine with systemd is booted for it.
 */
export async function startDocumentSession(program: string, needsMachine: boolean): Promise<DocumentSession> {
  await using made = new AsyncDisposableStack()
  const folder = made.use(cacheFolder()).path
  symlinkSync(program, join(folder, 'vedette'))
  symlinkSync(`${program}.sha256`, join(folder, 'vedette.sha256'))
  const ports = new Map<string, number>()
  for (const port of ['8090', '8091', '8443']) ports.set(port, await freePort())
  const adapted = (text: string): string => text.replaceAll(/:(8090|8091|8443)\b/g, (_, port: string) => `:${ports.get(port)}`)
  const address = adapted('127.0.0.1:8090')
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    VEDETTE_LISTEN: address,
    VEDETTE_AGENT_DATA_DIR: join(folder, 'agent-data'),
    VEDETTE_AGENT_LISTEN: `127.0.0.1:${await freePort()}`,
  }
  const shell = made.use(startShell(folder, environment))
  const machine = needsMachine ? made.use(await bootMachine()) : undefined
  const started: Program[] = []
  made.defer(async () => {
    for (const program of started) await program.stop()
  })

  const start = async (commands: string, output: ExpectedOutput | undefined): Promise<void> => {
    const variables = (await shell.run('env -0')).output.split('\0').flatMap((line): [string, string][] => {
      const at = line.indexOf('=')
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
    })
    const running = startCommandLine(`exec env ${commands}`, { folder, environment: Object.fromEntries(variables) })
    started.push(running)
    const giveUp = setTimeout(() => void running.stop(), START_MS)
    try {
      for (let lines = 1; ; lines += 1) {
        await running.line(/(?:)/, lines)
        if (output === undefined || outputFits(running.output(), output)) return
      }
    } catch (error) {
      throw new Error(`${commands}\nprinted\n${running.output()}\ninstead of\n${output?.text ?? ''}`, { cause: error })
    } finally {
      clearTimeout(giveUp)
    }
  }

  const stop = async (): Promise<void> => {
    const program = started.pop()
    assert.ok(program, 'a program to stop')
    assert.equal(await program.stop('SIGINT'), 0, program.errors())
  }

  const signIn = async (password: string): Promise<void> => {
    const signedIn = await fetch(`http://${address}/api/collections/users/auth-with-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ADMIN, password }),
    })
    const { token } = (await signedIn.json()) as { readonly token: string } // the response to a sign-in
    await shell.run(`HUB=http://${address}; TOKEN=${token}`)
  }

  const startHub = async (): Promise<void> => {
    await start('./vedette start', { language: 'text', text: '…Open it…' })
    await shell.run(`echo '${ADMIN.password}' | ./vedette user create ${ADMIN.identity} --role admin --password-stdin`)
    while (!/ up /.test((await shell.run('./vedette system list')).output));
    await signIn(ADMIN.password)
  }

  const run = async (block: Block): Promise<void> => {
    const commands = adapted(block.commands)
    const output = block.output === undefined ? undefined : { ...block.output, text: adapted(block.output.text) }
    if (block.mode === 'start') return start(commands, output)
    const giveUp = AbortSignal.timeout(UNTIL_MS)
    for (;;) {
      const { printed, failed } = block.mode === 'machine' ? await inMachine(machine, folder, commands) : await ranBy(shell, commands)
      const fits = output === undefined || outputFits(printed, output)
      if (block.mode === 'until' && !fits && !giveUp.aborted) continue
      assert.equal(failed, block.mode === 'fails', printed)
      assert.ok(fits, `${commands}\nprinted\n${printed}\ninstead of\n${output?.text ?? ''}`)
      return
    }
  }

  const kept = made.move()
  return {
    run,
    async follow(instruction) {
      const [, password] = /^sign in with: (.+)$/.exec(instruction) ?? []
      if (instruction === 'hub') await startHub()
      else if (instruction === 'stop') await stop()
      else if (instruction === 'new file') symlinkSync(program, join(folder, 'vedette-new'))
      else if (instruction === 'foreign hub') copyForeignHub(join(folder, 'beszel_data'))
      else if (password !== undefined) await signIn(password)
      else assert.fail(`there is no instruction "${instruction}"`)
    },
    obstacle: ({ mode }) => (mode === 'machine' && machine?.kind === 'none' ? machine.reason : undefined),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * Copies the recorded data folder of a stopped hub of the other project (Beszel) into `folder`, for documents about taking over its data.
 */
function copyForeignHub(folder: string): void {
  using theirs = foreignFolder()
  cpSync(theirs.path, folder, { recursive: true, preserveTimestamps: true })
}

/**
 * Creates a temporary folder below `node_modules/.cache` and returns its path; disposing the result removes it. Unlike the system's
 * temporary folder, an isolated machine with systemd can read it.
 */
export function cacheFolder(): Disposable & { readonly path: string } {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const path = mkdtempSync(join(cache, 'documents-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

async function ranBy(shell: Shell, commands: string) {
  const { output, failures } = await shell.run(commands)
  return { printed: output, failed: failures > 0 }
}

async function inMachine(machine: SystemdMachine | NoMachine | undefined, folder: string, commands: string) {
  assert.equal(machine?.kind, 'booted')
  const { status, said } = await machine.run(`set -e; cd ${folder}; ${commands}`)
  return { printed: said, failed: status !== 0 }
}

type Shell = AsyncDisposable & {
  /** Runs shell commands and resolves with their output (standard output and error together) and the number of commands that failed. */
  readonly run: (commands: string) => Promise<{ readonly output: string; readonly failures: number }>
}

/**
 * Starts a bash process in a folder. Its ERR trap counts failed commands. It reads each code block from a file, so that a command cannot
 * consume the next block as its input.
 */
function startShell(folder: string, environment: Readonly<Record<string, string>>): Shell {
  const child = spawn('bash', ['--norc', '-E'], { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  child.stdin.write("exec 2>&1\ntrap 'FAILURES=$((FAILURES + 1))' ERR\n")
  return {
    async run(commands) {
      const file = join(folder, '.block')
      writeFileSync(file, commands)
      child.stdin.write(`FAILURES=0; . ./.block </dev/null; echo; echo "${RAN} $FAILURES"\n`)
      const output: string[] = []
      for (;;) {
        const { value, done } = await lines.next()
        if (done === true) throw new Error(`the shell ended after\n${output.join('\n')}`)
        if (value.startsWith(RAN)) return { output: output.join('\n').trim(), failures: Number(value.slice(RAN.length)) }
        output.push(value)
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
