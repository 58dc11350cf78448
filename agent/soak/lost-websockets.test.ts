import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readReply, SOAK_TOKEN, startRestartingHub } from './restarting-hub.ts'
import { startSoakedAgent } from './soaked-agent.ts'
import { isWhole, skip, watchMemory } from './watched-memory.ts'

/** An agent waits 5 s before it dials again, so many agents are lost together. */
const DIALLERS = 20
const LOSSES_EACH = isWhole ? 500 : 4
const HUB_RESTARTS = isWhole ? 10 : 1
const LOOK_EVERY_MS = 100

test('agent keeps its memory flat and reconnects after lost WebSockets and hub restarts', { skip, timeout: 3 * 3_600_000 }, async () => {
  await using stack = new AsyncDisposableStack()
  const hub = stack.use(await startRestartingHub())
  const total = DIALLERS * LOSSES_EACH
  let asked = 0
  const warm = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  hub.onAgent = (agent) => {
    agent.ask({ action: 'data', cacheTimeMs: 1, includeDetails: true }).then(
      (bytes) => {
        readReply(bytes, 'document')
        asked += 1
        if (asked === total / 10) warm.resolve()
        if (asked === total) done.resolve()
        agent.drop()
      },
      // The hub shut down during the request; the agent connects again.
      () => undefined,
    )
  }
  const agents = Array.from({ length: DIALLERS }, () =>
    stack.use(startSoakedAgent({ HUB_URL: hub.url, TOKEN: SOAK_TOKEN, DISABLE_SSH: 'true' })),
  )
  await warm.promise
  const memories = agents.map((agent, index) => {
    const memory = watchMemory(agent, `WebSockets lost, by agent ${index + 1} of ${DIALLERS}`)
    memory.warm()
    return memory
  })
  for (let restart = 0; restart < HUB_RESTARTS; restart++) {
    const before = asked
    await hub.shut()
    await hub.open()
    // On average, each agent has reconnected once before the next restart.
    while (asked < before + DIALLERS) await wait(LOOK_EVERY_MS)
  }
  await done.promise
  for (const memory of memories) memory.finish(LOSSES_EACH)
})
