import { join } from 'node:path'
import type { ProgramCommands } from '../program/launched-programs.ts'
import { hubTuning } from '../program/tuning.ts'
import { hubBundle } from './build-hub.ts'
import { root } from './rules/source-tree.ts'

/**
 * Command lines that start the built hub and the agent (from its TypeScript sources), with their Node.js flags and environment variables.
 * The benchmarks measure both programs with the same flags.
 */
export const builtPrograms: ProgramCommands = {
  hub: ['node', ...hubTuning.flags, hubBundle],
  agent: ['node', '--max-semi-space-size=1', join(root, 'agent/src/main.ts')],
  environment: process.env,
  hubEnvironment: hubTuning.environment,
}
