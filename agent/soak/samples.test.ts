import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { startChurningEngine } from './churning-engine.ts'
import { readReply, SOAK_TOKEN, startRestartingHub, type AskedAgent } from './restarting-hub.ts'
import { startSoakedAgent } from './soaked-agent.ts'
import { isWhole, skip, WARM, watchMemory } from './watched-memory.ts'

const SAMPLES = isWhole ? 1_000_000 : 5_000

test('agent keeps its memory flat over many samples while containers come and go', { skip, timeout: 3 * 3_600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-soak-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true }))
  const engine = stack.use(await startChurningEngine(join(folder, 'engine.sock')))
  const hub = stack.use(await startRestartingHub())
  const arrived = new Promise<AskedAgent>((resolve) => (hub.onAgent = resolve))
  const agent = stack.use(startSoakedAgent({ HUB_URL: hub.url, TOKEN: SOAK_TOKEN, DISABLE_SSH: 'true', DOCKER_HOST: engine.address }))
  const connection = await arrived
  const memory = watchMemory(agent, 'samples with 3 containers that are others after every fifth')
  for (let sample = 1; sample <= SAMPLES; sample++) {
    // A cache time of 0 makes the agent measure every time.
    const bytes = await connection.ask({ action: 'data', cacheTimeMs: 0, includeDetails: sample % 60 === 0 })
    if (sample % 1_000 !== 0) continue
    const reply = readReply(bytes, 'document')
    const document = reply.kind === 'document' ? decodeDocument(reply.document) : undefined
    assert.ok(document?.ok === true && document.sample.containers?.length === 3)
    if (sample === WARM) memory.warm()
    if (sample % 100_000 === 0) console.log(`${sample} samples: resident ${agent.residentMebibytes().toFixed(2)} MiB`)
  }
  // At least half, not all: a sample that is requested before the engine's event arrives uses the previous list.
  assert.ok(engine.lists() >= SAMPLES / 2, `the engine was asked ${engine.lists()} times`)
  memory.finish(SAMPLES)
})
