import { startProgram, type Program } from '../e2e/programs.ts'
import { hubTuning } from '../program/tuning.ts'
import { ensureHub } from '../tools/build-hub.ts'

type HubOptions = {
  /** Address on which the hub listens: `127.0.0.1:PORT`. */
  readonly listen: string
  readonly directory: string
  /** URL of the PostgreSQL database: `postgres://…`. Without it, the hub uses SQLite in `directory`. */
  readonly databaseUrl?: string | undefined
  /** Additional environment variables of the hub's process, by name, such as for profiling. */
  readonly environment?: Readonly<Record<string, string>>
  /** List of additional command line options of the hub. */
  readonly args?: readonly string[]
}

/** Starts the hub as `npm run hub` does. Resolves with its process when it listens. */
export async function startBenchHub({ listen, directory, databaseUrl, environment = {}, args = [] }: HubOptions): Promise<Program> {
  await ensureHub()
  const started = startProgram('hub/dist/vedette-hub.mjs', {
    args: ['--listen', listen, '--data', directory, '--log-level', 'error', ...args],
    nodeFlags: hubTuning.flags,
    environment: { ...hubTuning.environment, ...environment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
  })
  await started.line(/listens on/)
  return started
}
