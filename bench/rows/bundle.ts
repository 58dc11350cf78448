import { join } from 'node:path'
import { ensureDashboard } from '../../tools/dashboard.ts'
import { root } from '../../tools/rules/source-tree.ts'
import { bundleSizes } from '../../web/build/sizes.ts'
import type { Row } from '../row.ts'

const KILOBYTE = 1000

async function sizes() {
  await ensureDashboard()
  return bundleSizes(join(root, 'web', 'dist'))
}

export const dashboardBundle: Row = {
  id: 'W1',
  what: 'JavaScript to a usable dashboard, gzip',
  measure: async () => [{ name: 'sent', value: (await sizes()).dashboardGzipBytes / KILOBYTE, unit: 'kB', bar: 110 }],
}

export const systemBundle: Row = {
  id: 'W2',
  what: 'JavaScript to a system page with all its charts, gzip',
  measure: async () => [{ name: 'sent', value: (await sizes()).systemPageGzipBytes / KILOBYTE, unit: 'kB', bar: 150 }],
}
