import { listOf, numberOf, recordOf } from '../../api/json.ts'

/**
 * One of the hubs that share the database: id, name, version, number of systems that it polls, state and load (`undefined` when unknown).
 * `silentMs` is the time since it last renewed its database row; `isThis` marks the hub that sent the response.
 */
export type HubItem = {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly systems: number
  /** Time in ms since the hub last renewed its own row in the database, which a running hub does every few seconds. */
  readonly silentMs: number
  readonly state: 'running' | 'draining' | 'clock-wrong' | 'gone'
  readonly isThis: boolean
  readonly load: { readonly cpuPercent: number; readonly residentBytes: number; readonly loopLateMs: number } | undefined
}

/** Time in ms, 6,000, after which the health page shows a hub as gone if it has not renewed its row in the database. */
const GONE_AFTER_MS = 6_000

export function readHubs(answer: unknown): readonly HubItem[] {
  return listOf(recordOf(answer)['items']).flatMap((item) => {
    const { id, name, version, systems, silentMs, isDraining, isClockWrong, isThis, load } = recordOf(item)
    const silent = numberOf(silentMs)
    if (typeof id !== 'string' || typeof name !== 'string' || silent === undefined) return []
    const taking = isDraining === true ? (isClockWrong === true ? 'clock-wrong' : 'draining') : 'running'
    const state = silent >= GONE_AFTER_MS ? 'gone' : taking
    const text = typeof version === 'string' ? version : ''
    return [
      { id, name, version: text, systems: numberOf(systems) ?? 0, silentMs: silent, state, isThis: isThis === true, load: readLoad(load) },
    ]
  })
}

function readLoad(sent: unknown): HubItem['load'] {
  const fields = recordOf(sent)
  const cpuPercent = numberOf(fields['cpuPercent'])
  const residentBytes = numberOf(fields['residentBytes'])
  const loopLateMs = numberOf(fields['loopLateMs'])
  return cpuPercent === undefined || residentBytes === undefined || loopLateMs === undefined
    ? undefined
    : { cpuPercent, residentBytes, loopLateMs }
}
