import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Child process of a benchmark, such as one that simulates agents. It receives orders and sends reports over IPC. */
export type BenchProcess<Order, Report> = AsyncDisposable & {
  readonly pid: number
  readonly tell: (order: Order) => void
  /** Sends an order to the child process and resolves with its next report. Rejects when the process ends first. */
  readonly ask: (order: Order) => Promise<Report>
}

/**
 * Starts a Node program as a child process, with `options` as its one argument, in JSON. Returns the object with which to send orders. The
 * child's standard error is shown.
 */
export function startBenchProcess<Order extends object, Report>(program: URL, options: object): BenchProcess<Order, Report> {
  const child = fork(fileURLToPath(program), [JSON.stringify(options)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(([status]) => Promise.reject<Report>(new Error(`${program.pathname} ended with ${String(status)}`)))
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    tell: (order) => void child.send(order),
    async ask(order) {
      const report = once(child, 'message')
      child.send(order)
      const [answer] = await Promise.race([report, failed.then((never) => [never])])
      return answer as Report // the program was started for this type of report
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await ended
    },
  }
}
