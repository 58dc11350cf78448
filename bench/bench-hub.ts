import { startExecutable, startProgram, type Program } from '../e2e/programs.ts'
import { hubTuning } from '../program/tuning.ts'
import { ensureHub } from '../tools/build-hub.ts'

type HubOptions = {
  /** Address on which the benchmark's hub is to listen: `127.0.0.1:PORT`. */
  readonly listen: string
  readonly directory: string
  /** URL of the PostgreSQL database: `postgres://…`. Without it, the hub uses SQLite in `directory`. Ignored with `executable`. */
  readonly databaseUrl?: string | undefined
  /** Additional environment variables of the benchmark's hub process, by name, such as for profiling. Ignored with `executable`. */
  readonly environment?: Readonly<Record<string, string>>
  /** List of additional command line options of the benchmark's hub process. */
  readonly args?: readonly string[]
  /**
   * Path of the hub as a single executable, to start in place of the bundle; absent, the bundle is started. The executable sets its own
   * memory and thread options.
   */
  readonly executable?: string | undefined
}

/**
 * Starts the benchmark's hub from its bundle, as `npm run hub` does, or from the single executable. Resolves with its process once it
 * listens.
 */
export async function startBenchHub({
  listen,
  directory,
  databaseUrl,
  environment = {},
  args = [],
  executable,
}: HubOptions): Promise<Program> {
  if (executable !== undefined) {
    const started = startExecutable(executable, ['hub', '--listen', listen, '--data', directory, '--log-level', 'error', ...args])
    await started.line(/listens on/)
    return started
  }
  await ensureHub()
  const started = startProgram('hub/dist/vedette-hub.mjs', {
    args: ['--listen', listen, '--data', directory, '--log-level', 'error', ...args],
    nodeFlags: hubTuning.flags,
    environment: { ...hubTuning.environment, ...environment, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) },
  })
  await started.line(/listens on/)
  return started
}
