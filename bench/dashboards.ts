import { request, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs, sightingLog } from './fleet-report.ts'
import type { DashboardsOptions, DashboardsReport } from './dashboards-report.ts'

// A program that simulates open dashboards: event streams without a browser. It reports the received events over IPC.

// The bench that starts this program wrote its argument.
const options = JSON.parse(process.argv[2] ?? '{}') as DashboardsOptions
/** List of the realtime topics to which the dashboard's page "All systems" subscribes. */
const TOPICS = ['systems/*', 'alerts/*']
const events = sightingLog()
let open = 0
let lost = 0
let disordered = 0

/**
 * Delays in ms between attempts to open an event stream: 200 up to 2,000; the last one repeats. They are those of the PocketBase SDK, which
 * the real dashboard uses.
 */
const RETRY_MS = [200, 300, 500, 1000, 1200, 1500, 2000]

async function watch(token: string): Promise<void> {
  const stream = await openStreamAgain(token)
  stream.setEncoding('latin1')
  let isOpen = false
  let rest = ''
  let following = false
  const newest = new Map<number, number>()
  stream.on('data', (chunk: string) => {
    const atMs = monotonicMs()
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (following) recordEvent(frame, atMs, newest)
      else {
        following = true
        const clientId = /^id:(.+)$/m.exec(frame)?.[1] ?? ''
        void follow(clientId, token).then((accepted) => {
          isOpen = accepted
          if (accepted) open++
        })
      }
    }
  })
  stream.on('error', () => {})
  stream.on('close', () => {
    if (isOpen) open--
    lost++
    void watch(token)
  })
}

/**
 * Opens a realtime event stream of the hub with this session token, and tries again until the hub responds, with any status. Resolves with
 * the HTTP response.
 */
async function openStreamAgain(token: string): Promise<IncomingMessage> {
  for (let failures = 0; ; failures++) {
    try {
      return await openStream(token)
    } catch {
      await wait(RETRY_MS[failures] ?? RETRY_MS.at(-1))
    }
  }
}

function openStream(token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${options.url}/api/realtime`, { headers: { authorization: token } }, resolve)
      .on('error', reject)
      .end()
  })
}

/**
 * Subscribes an event stream (by its client id) to the realtime topics of the page All Systems. Resolves to true if the hub accepted it.
 */
async function follow(clientId: string, token: string): Promise<boolean> {
  const answer = await fetch(`${options.url}/api/realtime`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, subscriptions: TOPICS }),
  })
  return answer.status === 204
}

const markOf = options.mark === 'port' ? /"port":"(\d+)"/ : /"u":(\d+)/

/**
 * Adds an entry to the log of received events, if the realtime event is about a system. The entry has the machine's index, the event's mark
 * (uptime or port), and `atMs`. `newest` maps a machine's index to the mark of its last event.
 */
function recordEvent(frame: string, atMs: number, newest: Map<number, number>): void {
  if (!frame.includes('\nevent:systems/')) return
  const name = /"name":"bench-(\d+)"/.exec(frame)?.[1]
  const mark = markOf.exec(frame)?.[1]
  if (name === undefined || mark === undefined) return
  events.add(Number(name), Number(mark), atMs)
  // The numbers only increase.
  if (Number(mark) < (newest.get(Number(name)) ?? 0)) disordered++
  newest.set(Number(name), Number(mark))
}

process.on('message', () => {
  const report: DashboardsReport = { open, lost, events: events.take(), disordered }
  process.send?.(report)
})
process.on('disconnect', () => process.exit(0))
/** Maximum number of event streams that the simulated dashboards open concurrently: 50. */
const AT_ONCE = 50
for (let first = 0; first < options.count; first += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, options.count - first) }, (_, at) => first + at)
  await Promise.all(some.map((index) => watch(options.tokens[index % options.tokens.length] ?? '')))
}
