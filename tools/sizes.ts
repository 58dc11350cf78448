import { join } from 'node:path'
import { bundleSizes } from '../web/build/sizes.ts'
import { root } from './rules/source-tree.ts'

/**
 * Maximum sizes of the JavaScript that a page loads before it is usable, in bytes after gzip, all files together. There is one for
 * dashboard, system page and back-office; a larger size fails the check. Files loaded later are limited by the benchmarks W1 and W2.
 */
const bars = { dashboardGzipBytes: 125_000, systemPageGzipBytes: 170_000, backOfficeGzipBytes: 140_000 } as const
const sizes = bundleSizes(join(root, 'web', 'dist'))
for (const [name, bar] of Object.entries(bars)) {
  const size = sizes[name as keyof typeof bars] // Object.entries forgets the keys of a constant object
  const verdict = size <= bar ? 'ok  ' : 'OVER'
  console.log(`${verdict} ${name}: ${size} of ${bar}`)
  if (size > bar) process.exitCode = 1
}
