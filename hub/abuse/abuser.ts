import { abuses, type AbuseName, type AbuseTarget } from './abuses.ts'

// A program: abuses a hub on this machine until whoever started it lets it go.

export type AbuserOptions = AbuseTarget & {
  readonly abuse: AbuseName
  /** After so many connections it says so, over IPC. */
  readonly tellAfter: number
}

// The argument is this project's own.
const { abuse, tellAfter, ...target } = JSON.parse(process.argv[2] ?? '{}') as AbuserOptions
let attempts = 0
process.on('disconnect', () => process.exit(0))
await abuses[abuse](target, new AbortController().signal, () => {
  attempts += 1
  if (attempts === tellAfter) process.send?.('attempted')
})
