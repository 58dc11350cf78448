import { z } from 'zod'
import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { listUpstreams } from '../incidents/network-causes.ts'
import { upstreamProblems } from '../incidents/upstream.ts'

const upstream = z.object({
  /** Name of the upstream, as in the system's tag `behind=NAME`. */
  name: z.string(),
  /**
   * `unknown`: the caller sees no system with this name. `circle`: the way through it leads into systems that are behind each other. Null:
   * alerts are silenced while it and all other upstreams of the system are down.
   */
  problem: z.enum(upstreamProblems).nullable(),
})

export const readUpstreams = defineRoute('GET /api/vedette/systems/:system/upstreams', {
  tag: 'alerts',
  summary: 'Systems behind which a system is by tags `behind=NAME` of admins: while they are down, its alerts are silenced',
  access: { door: 'signed in', decidedBy: 'the view rule of systems' },
  keys: 'read',
  response: z.object({ items: z.array(upstream) }),
  async handle({ c, actor, params }, { engine, access }: { readonly engine: Engine; readonly access: Access }) {
    const { id } = await access.viewable(factsOf(c), 'systems', params.system)
    const found = await listUpstreams({ engine, owner: actor.id }, id)
    return { items: found.map(({ name, problem }) => ({ name, problem: problem ?? null })) }
  },
})
