import { startBenchPages } from '../bench-pages.ts'
import { coldVisitBytes } from '../cold-visit.ts'
import { machineName } from '../simulated-machine.ts'
import type { Figure, Row } from '../row.ts'

const KILOBYTE = 1000

async function coldVisit(path: string, bar: number): Promise<readonly Figure[]> {
  await using pages = await startBenchPages({ systems: 1, days: 1, containers: 3 })
  const { page } = await pages.openPage()
  return [{ name: 'fetched', value: (await coldVisitBytes(page, path)) / KILOBYTE, unit: 'kB', bar }]
}

export const dashboardBundle: Row = {
  id: 'W1',
  what: 'JavaScript that a cold visit of All Systems fetches until 2 s pass without a request, gzip',
  measure: () => coldVisit('/', 125),
}

export const systemBundle: Row = {
  id: 'W2',
  what: 'JavaScript that a cold visit of a system page fetches until 2 s pass without a request, gzip',
  measure: () => coldVisit(`/system/${machineName(0)}`, 190),
}
