import { startProgram, type Program } from '../e2e/programs.ts'
import { ensureHub, hubEnvironment, hubNodeFlags } from '../tools/build-hub.ts'

type HubOptions = {
  /** `127.0.0.1:PORT`. */
  readonly listen: string
  readonly directory: string
  /** `postgres://…`; the embedded one of the folder without it. */
  readonly databaseUrl?: string | undefined
  /** Given to the hub's process, for profiling it. */
  readonly environment?: Readonly<Record<string, string>>
  /** Further options of the hub. */
  readonly args?: readonly string[]
}

/** The hub as `npm run hub` runs it; resolves when it listens. */
export async function startBenchHub({ listen, directory, databaseUrl, environment = {}, args = [] }: HubOptions): Promise<Program> {
  await ensureHub()
  const started = startProgram('hub/dist/vedette-hub.mjs', {
    args: ['--listen', listen, '--data', directory, '--log-level', 'error', ...args],
    nodeFlags: hubNodeFlags,
    environment: { ...hubEnvironment, ...environment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
  })
  await started.line(/listens on/)
  return started
}
