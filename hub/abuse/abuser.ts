import { abuses, type AbuseName, type AbuseTarget } from './abuses.ts'

// A program that abuses a hub on this machine until its parent disconnects.

export type AbuserOptions = AbuseTarget & {
  readonly abuse: AbuseName
  /**
   * Count of connection attempts, for the abuse test of the hub. After that many, the abuser process sends the IPC message `attempted` once
   * to the test that started it.
   */
  readonly tellAfter: number
}

// The argument comes from this project's own code.
const { abuse, tellAfter, ...target } = JSON.parse(process.argv[2] ?? '{}') as AbuserOptions
let attempts = 0
process.on('disconnect', () => process.exit(0))
await abuses[abuse](target, new AbortController().signal, () => {
  attempts += 1
  if (attempts === tellAfter) process.send?.('attempted')
})
