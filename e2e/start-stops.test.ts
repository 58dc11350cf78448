import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as waited } from 'node:timers/promises'
import { isNativeBuilt, nativeAgent } from '../tools/native-agent.ts'
import { root } from '../tools/rules/source-tree.ts'
import { childrenOf, commandOf, environmentOf, parentOf, processes, isRunning } from './process-tree.ts'
import { scratchFolder } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

/** Timeout from the signal until hub and agent have ended. The programs promise 5 s; a busy machine gets more time. */
const END_WITHIN_MS = 20_000

/** How long the test watches programs that must not end. They notice within one second that npm has ended. */
const WATCHED_FOR_MS = 2500

const LOOK_EVERY_MS = 20

const agentKey = readFileSync(join(root, 'protocol/vectors/agent/test-only-keys/hub_ed25519.pub'), 'utf8')

/** script(1) provides a terminal that can be closed. */
const noTerminals = spawnSync('script', ['--version']).status === 0 ? false : 'script(1) is missing; apt-get install bsdutils'

const noNativeAgent = isNativeBuilt() ? false : 'the native agent is not built'

/** The processes of `npm start`. `outer` is the process that the test started: npm, or the program that wraps npm. */
type Started = { readonly outer: ChildProcess; readonly npm: number; readonly start: number; readonly hub: number; readonly agent: number }

const folder = scratchFolder()
const all: Started[] = []
after(() => {
  // A failed test may leave this process behind. Hub and agent end with it.
  for (const { start } of all) if (isRunning(start)) process.kill(start, 'SIGKILL')
  folder[Symbol.dispose]()
})
let folders = 0
const newData = (): string => join(folder.path, `data-${folders++}`)

/** Starts `npm start`, possibly wrapped, and waits until its hub and its agent run. */
async function started({
  wrap = (words) => words,
  data = newData(),
}: { readonly wrap?: (words: readonly string[]) => readonly string[]; readonly data?: string } = {}): Promise<Started> {
  const listen = `127.0.0.1:${await freePort()}`
  const [program = '', ...args] = wrap(['npm', 'start', '--', '--listen', listen, '--data', data])
  const outer = spawn(program, args, {
    cwd: root,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SHELL: '/bin/sh' },
    detached: true,
  })
  while (!(await answers(listen))) await waited(LOOK_EVERY_MS)
  const start = await found(() => processes().find((pid) => /tools\/start\.ts /.test(commandOf(pid)) && commandOf(pid).includes(data)))
  const hub = await found(() => childrenOf(start).find((pid) => commandOf(pid).includes('vedette-hub.mjs')))
  const agent = await found(() => childrenOf(start).find((pid) => commandOf(pid).includes('agent/src/main.ts')))
  const one = { outer, npm: parentOf(start), start, hub, agent }
  all.push(one)
  return one
}

const answers = (address: string): Promise<boolean> =>
  fetch(`http://${address}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )

function accepts(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':')
  const socket = connect(Number(port), host)
  return new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  }).finally(() => socket.destroy())
}

async function found(look: () => number | undefined): Promise<number> {
  for (;;) {
    const pid = look()
    if (pid !== undefined) return pid
    await waited(LOOK_EVERY_MS)
  }
}

const running = ({ npm, start, hub, agent }: Started): readonly string[] =>
  Object.entries({ npm, start, hub, agent })
    .filter(([, pid]) => isRunning(pid))
    .map(([name]) => name)

async function allEnd(program: Started): Promise<void> {
  const lastMs = Date.now() + END_WITHIN_MS
  while (running(program).length > 0 && Date.now() < lastMs) await waited(LOOK_EVERY_MS)
  assert.deepEqual(running(program), [])
}

/** Polls, because there is no event for something that does not happen. */
async function allGoOn(program: Started): Promise<void> {
  const lastMs = Date.now() + WATCHED_FOR_MS
  while (Date.now() < lastMs) {
    assert.deepEqual(
      running(program).filter((name) => name !== 'npm'),
      ['start', 'hub', 'agent'],
    )
    await waited(LOOK_EVERY_MS)
  }
}

describe('npm start: hub and agent end after each signal', () => {
  for (const [who, signal] of [
    ['npm', 'SIGTERM'],
    ['npm', 'SIGINT'],
    ['npm', 'SIGHUP'],
    ['npm', 'SIGKILL'],
    ['start', 'SIGTERM'],
    ['start', 'SIGHUP'],
    ['start', 'SIGKILL'],
    ['hub', 'SIGTERM'],
    ['hub', 'SIGHUP'],
    ['agent', 'SIGINT'],
    ['agent', 'SIGHUP'],
  ] as const) {
    test(`${signal} to ${who}`, { timeout: 300_000 }, async () => {
      const program = await started()
      process.kill(program[who], signal)
      await allEnd(program)
    })
  }

  test('second start works immediately', { timeout: 300_000 }, async () => {
    const data = newData()
    const first = await started({ data })
    process.kill(first.npm, 'SIGKILL')
    await allEnd(first)
    const second = await started({ data })
    process.kill(second.npm, 'SIGTERM')
    await allEnd(second)
  })
})

const agentEnvironment = (data: string, listen: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  KEY: agentKey,
  LISTEN: listen,
  DATA_DIR: data,
  DOCKER_HOST: '',
})

/** The agent has the path first; a shell has it among its arguments. */
const isAgent = (pid: number): boolean => /agent\/src\/main\.ts|^\S*vedette-agent-linux/.test(commandOf(pid))

describe('npm run agent: the agent ends with npm', () => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    test(`${signal} to npm`, { timeout: 300_000 }, async () => {
      const data = newData()
      mkdirSync(data)
      const npm = spawn('npm', ['run', 'agent'], { cwd: root, stdio: 'ignore', env: agentEnvironment(data, '127.0.0.1:0'), detached: true })
      const agent = await found(() => childrenOf(npm.pid ?? 0).find(isAgent))
      try {
        npm.kill(signal)
        const lastMs = Date.now() + END_WITHIN_MS
        while (isRunning(agent) && Date.now() < lastMs) await waited(LOOK_EVERY_MS)
        assert.equal(isRunning(agent), false)
      } finally {
        if (isRunning(agent)) process.kill(agent, 'SIGKILL')
      }
    })
  }
})

/** A command in its own terminal. The shell waits until the terminal is closed. */
const inTerminal =
  (before: string, output = '') =>
  (words: readonly string[]): readonly [string, ...string[]] => [
    'script',
    '-qc',
    `${before} ${words.join(' ')} ${output}; cat`,
    '/dev/null',
  ]

/** Ways to start a program that survives its terminal. */
const detachments = [
  // nohup writes into the working directory if its output is not redirected.
  ['nohup', inTerminal('nohup', '>/dev/null 2>&1')],
  ['setsid', inTerminal('setsid --fork')],
] as const

describe('npm start: a closed terminal', { skip: noTerminals }, () => {
  test('ends the programs that were started in it', { timeout: 300_000 }, async () => {
    const program = await started({ wrap: inTerminal('') })
    program.outer.kill('SIGKILL')
    await allEnd(program)
  })

  for (const [name, wrap] of detachments) {
    test(`does not end programs that were started with ${name}`, { timeout: 300_000 }, async () => {
      const program = await started({ wrap })
      program.outer.kill('SIGKILL')
      await allGoOn(program)
      process.kill(program.start, 'SIGTERM')
      await allEnd(program)
    })
  }
})

/** Commands that start an agent, and the reason to skip one. */
const agentCommands = [
  { title: 'npm run agent', words: ['npm', 'run', 'agent'], skip: noTerminals },
  { title: 'the native agent', words: [nativeAgent(process.arch)], skip: noTerminals || noNativeAgent },
]

for (const { title, words, skip } of agentCommands)
  describe(`${title}: a closed terminal`, { skip }, () => {
    for (const [name, wrap, goesOn] of [
      ['nothing', inTerminal(''), false],
      ...detachments.map((one) => [...one, true] as const),
    ] as const) {
      test(`${goesOn ? 'does not end' : 'ends'} an agent that was started with ${name}`, { timeout: 300_000 }, async () => {
        const data = newData()
        mkdirSync(data)
        const listen = `127.0.0.1:${await freePort()}`
        const [program, ...args] = wrap(words)
        const terminal = spawn(program, args, {
          cwd: root,
          stdio: ['pipe', 'ignore', 'ignore'],
          env: { ...agentEnvironment(data, listen), SHELL: '/bin/sh' },
          detached: true,
        })
        while (!(await accepts(listen))) await waited(LOOK_EVERY_MS)
        const agent = await found(() => processes().find((pid) => isAgent(pid) && environmentOf(pid).includes(`DATA_DIR=${data}\0`)))
        try {
          terminal.kill('SIGKILL')
          const lastMs = Date.now() + (goesOn ? WATCHED_FOR_MS : END_WITHIN_MS)
          while (isRunning(agent) && Date.now() < lastMs) await waited(LOOK_EVERY_MS)
          assert.equal(isRunning(agent), goesOn)
        } finally {
          if (isRunning(agent)) process.kill(agent, 'SIGKILL')
        }
      })
    }
  })
