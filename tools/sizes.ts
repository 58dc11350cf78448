import { join } from 'node:path'
import { bundleSizes } from '../web/build/sizes.ts'
import { root } from './rules/source-tree.ts'

/** Bytes of JavaScript after gzip that may be sent before the page is of use. */
const bars = { dashboardGzipBytes: 110_000, systemPageGzipBytes: 150_000, backOfficeGzipBytes: 150_000 } as const

const sizes = bundleSizes(join(root, 'web', 'dist'))
for (const [name, bar] of Object.entries(bars)) {
  const size = sizes[name as keyof typeof bars] // Object.entries forgets the keys of a constant object
  const verdict = size <= bar ? 'ok  ' : 'OVER'
  console.log(`${verdict} ${name}: ${size} of ${bar}`)
  if (size > bar) process.exitCode = 1
}
