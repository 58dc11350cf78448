import { present } from '@vedette/protocol/wire/present'
import { numberAt, textAt, type Json } from '../../text/json.ts'
import type { EngineFacts } from '../machine.ts'
import type { EngineClient } from './client.ts'

/**
 * Resolves with facts about the machine that Docker or Podman reports (`GET /info`): kernel, operating system, number of CPUs, memory.
 * `undefined` when there is no engine or it does not respond.
 */
export async function engineFacts(engine: EngineClient): Promise<EngineFacts | undefined> {
  if (engine.address() === undefined) return undefined
  try {
    const { value } = await engine.get('/info')
    return factsOf(value, (await engine.kind()).podman)
  } catch {
    // The machine's own files have these facts, and the container collector reports the engine's failure.
    return undefined
  }
}

const factsOf = (info: Json, podman: boolean): EngineFacts =>
  present<EngineFacts>({
    kernel: nonEmpty(textAt(info, 'KernelVersion')),
    osName: nonEmpty(textAt(info, 'OperatingSystem')),
    threads: positive(numberAt(info, 'NCPU')),
    totalMemoryBytes: positive(numberAt(info, 'MemTotal')),
    podman: podman ? true : undefined,
  })

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)
const positive = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? value : undefined)
