import { join } from 'node:path'
import { bundleSizes } from '../web/build/sizes.ts'
import { root } from './rules/source-tree.ts'

/**
 * Maximum bytes of JavaScript (gzip) that each page may load before it is usable, by name of the size. Later requests count in the
 * benchmarks W1 and W2 of `npm run bench`, whose limits are 125 and 190 kB.
 */
const bars = { dashboardGzipBytes: 125_000, systemPageGzipBytes: 170_000, backOfficeGzipBytes: 140_000 } as const
const sizes = bundleSizes(join(root, 'web', 'dist'))
for (const [name, bar] of Object.entries(bars)) {
  const size = sizes[name as keyof typeof bars] // Object.entries forgets the keys of a constant object
  const verdict = size <= bar ? 'ok  ' : 'OVER'
  console.log(`${verdict} ${name}: ${size} of ${bar}`)
  if (size > bar) process.exitCode = 1
}
