import { licenceExceptions } from './exceptions.ts'
import type { LockPolicy } from './npm-lock.ts'

/**
 * List of SPDX identifiers of the licences that npm packages may have, such as `MIT`. They only require shipping a copy of the notice,
 * which the builds write.
 */
const licences = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense']

const TAKEN_OVER = 'versions of it were published to do harm'

/**
 * Policy for npm packages: allowed licences, banned packages and exceptions. Missing here are the rules on install scripts and workspaces,
 * which come from `package.json`.
 */
export const npmPolicy: Omit<LockPolicy, 'decidedScripts' | 'workspaces'> = {
  licences,
  // Files under the MPL may be used unchanged; none of them is shipped.
  toolLicences: ['MPL-2.0', 'Apache-2.0 WITH LLVM-exception'],
  banned: new Map([
    ['event-stream', TAKEN_OVER],
    ['flatmap-stream', TAKEN_OVER],
    ['node-ipc', TAKEN_OVER],
    ['colors', TAKEN_OVER],
    ['faker', TAKEN_OVER],
    ['ua-parser-js', TAKEN_OVER],
    ['request', 'nobody maintains it'],
    ['vm2', 'its sandbox was broken again and again, and nobody maintains it'],
  ]),
  exceptions: licenceExceptions,
}
