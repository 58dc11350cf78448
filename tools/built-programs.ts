import { join } from 'node:path'
import type { ProgramCommands } from '../program/launched-programs.ts'
import { hubTuning } from '../program/tuning.ts'
import { hubBundle } from './build-hub.ts'
import { root } from './rules/source-tree.ts'

/** Command lines of the hub from its bundle, and of the agent from its sources, with the flags of Node.js that they are measured with. */
export const builtPrograms: ProgramCommands = {
  hub: ['node', ...hubTuning.flags, hubBundle],
  agent: ['node', '--max-semi-space-size=1', join(root, 'agent/src/main.ts')],
  environment: process.env,
  hubEnvironment: hubTuning.environment,
}
