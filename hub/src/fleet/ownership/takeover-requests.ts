import { z } from 'zod'
import type { HubMessages } from '../../platform/cluster/hub-messages.ts'
import { TAKEOVER_ALLOWED, type Takeover } from '../polling/takeovers.ts'
import type { LeasedOwnership } from './leased-ownership.ts'

const takeoverSchema = z.object({ isAllowed: z.boolean(), agesMs: z.array(z.number().nonnegative()).max(100) })

export type TakeoverRequests = {
  /**
   * Sends a request to the hub that polls a system, if it is another one: may a new agent replace the one connected there? `newcomer` is
   * the new agent's remote address. Resolves to the decision. Without another owner hub, or without its response, the new agent is allowed.
   */
  readonly request: (system: string, newcomer: string) => Promise<Takeover>
  /**
   * Answers takeover requests of other hubs with `decide`: whether an agent with the remote address `newcomer` may replace the one
   * connected here. Returns a function that stops it.
   */
  readonly serve: (decide: (system: string, newcomer: string) => Takeover) => () => void
}

/** Takeover service for a single hub: it allows every replacement of a connection, because there is no other hub to ask. */
export const noTakeoverRequests: TakeoverRequests = { request: async () => TAKEOVER_ALLOWED, serve: () => () => {} }

const TAKEOVER = 'takeover'
/**
 * Timeout in ms (1 s) of the request to the owner hub of a system whether a new agent may replace the connected one. Without a response the
 * agent may. It is short, because an agent gives up after 5 s.
 */
const RESPONSE_MS = 1000

const requestSchema = z.object({ system: z.string().max(100), newcomer: z.string().max(200) })

type Messages = Pick<HubMessages, 'ask' | 'answer'>

export function takeoverRequests(messages: Messages, owners: Pick<LeasedOwnership, 'owns' | 'ownerOf'>): TakeoverRequests {
  return {
    async request(system, newcomer) {
      if (owners.owns(system)) return TAKEOVER_ALLOWED
      const owner = await owners.ownerOf(system)
      if (owner === undefined) return TAKEOVER_ALLOWED
      try {
        return takeoverSchema.parse(await messages.ask(owner, TAKEOVER, { system, newcomer }, AbortSignal.timeout(RESPONSE_MS)))
      } catch {
        // The owner has ended, is frozen or has an older version, or NATS is not reachable.
        return TAKEOVER_ALLOWED
      }
    },
    serve: (decide) =>
      messages.answer(TAKEOVER, async (body) => {
        const { system, newcomer } = requestSchema.parse(body)
        const { isAllowed, agesMs } = decide(system, newcomer)
        return { isAllowed, agesMs: [...agesMs] }
      }),
  }
}
