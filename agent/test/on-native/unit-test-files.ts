/** Glob patterns of the unit tests that run on every host, except those in `onlyOnNode`. */
export const unitTestPatterns = ['agent/src/**/*.test.ts', 'protocol/src/**/*.test.ts'] as const

/** Test files that only Node can run, with the reason. */
export const onlyOnNode: Readonly<Record<string, string>> = {
  'agent/src/runtime/node/filesystem-sizes.test.ts': 'a part of the host on Node',
  'agent/src/runtime/node/http-response.test.ts': 'a part of the host on Node',
  'agent/src/runtime/node/ssh-admission.test.ts': 'a part of the host on Node',
  'agent/src/runtime/node/ssh-server.test.ts': 'a part of the host on Node',
}
