import { changedBuild, type ChangedBuild } from '../hub/test/changed-build.ts'
import { newerBuild } from '../hub/test/cluster/newer-build.ts'

export const OLDER_VERSION = '0.0.9'
export const NEWER_STATUS = 'hibernating'
export const NEWER_ROLE = 'auditor'

/**
 * Builds a hub that behaves like an older version: without API paths that were added later, and storing only a few values of a sample.
 * Resolves with the path of the build.
 */
export const olderHub = (): ChangedBuild =>
  changedBuild([
    ['protocol/src/wire/version.ts', "VEDETTE_VERSION = '", `VEDETTE_VERSION = '${OLDER_VERSION}' // '`],
    [
      'hub/src/startup/hub-routes.ts',
      '...closedAddresses,\n]',
      '...closedAddresses,\n].filter(({ path }) => !/^\\/api\\/(?:vedette|account)\\//.test(path))',
    ],
    [
      'hub/src/samples/sample-store.ts',
      'const info = { ...toInfoJson(sample, facts.get(system) ?? {}, atMs),',
      `const { cpu, mp, dp } = toInfoJson(sample, facts.get(system) ?? {}, atMs)
    const info = { cpu, mp, dp, v: '0.2.0',`,
    ],
  ])

/**
 * Builds a hub that behaves like a newer version: with a system status, a user role and an `info` field that today's dashboard does not
 * know. Resolves with the path of the build.
 */
export const newerHub = (): ChangedBuild =>
  newerBuild([
    ['hub/src/records/collections/systems.ts', "'paused', 'pending']", `'paused', 'pending', '${NEWER_STATUS}']`],
    ['hub/src/records/collections/users.ts', "['user', 'admin', 'readonly']", `['user', 'admin', 'readonly', '${NEWER_ROLE}']`],
    [
      'hub/src/samples/sample-store.ts',
      'const info = { ...toInfoJson(',
      "const info = { later: { nested: [1, null, '__proto__'] }, t: 'soon', ...toInfoJson(",
    ],
  ])
